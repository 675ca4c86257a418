import { ConflictDialog } from '../../editing/conflict-dialog.tsx';
import { useLanguageName } from '../../languages/use-language-name.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { assigneeOfKey } from './conversation-facts.ts';
import { inboxTexts } from './texts.ts';
import type { RunningChange } from './use-conversation-change.ts';
import { type Team, useAssigneeName } from './use-names.ts';

interface Props {
  readonly running: RunningChange;
  readonly team: Team;
}

/** Shown after a concurrent change of the conversation. The member chooses the values that are kept. */
export function ConversationConflict({ running: { conflict, close, resolve }, team }: Props) {
  const t = useCatalogue(inboxTexts);
  const { none } = useTexts();
  const languageName = useLanguageName();
  const nameOf = useAssigneeName();
  if (!conflict) return null;
  const labels: Readonly<Record<string, string>> = { status: t.status, assignee: t.assignee, language: t.language };
  const texts: Readonly<Record<string, string>> = t;
  const shownOf = (path: string, value: unknown): string => {
    const text = String(value);
    if (path === 'assignee') return nameOf(assigneeOfKey(text), team);
    if (path === 'language') return text === '' ? none : languageName(text);
    return texts[text] ?? text;
  };
  return (
    <ConflictDialog
      conflict={conflict}
      labelOf={(path) => labels[path] ?? path}
      shownOf={shownOf}
      text={t.conflictText}
      close={close}
      resolve={resolve}
    />
  );
}
