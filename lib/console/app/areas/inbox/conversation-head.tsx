import type { Conversation } from '#lib/client/types.ts';
import { useMay, useProfile } from '../../data/session-context.tsx';
import { ConflictDialog } from '../../editing/conflict-dialog.tsx';
import { useLanguageName } from '../../languages/use-language-name.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { Options } from '../../ui/options.tsx';
import { BackLink } from './back-link.tsx';
import { ConversationDetails } from './conversation-details.tsx';
import { assigneeOfKey, keyOfAssignee } from './conversation-facts.ts';
import { statuses } from './conversation-query.ts';
import { handBack, isWithTeam } from './hand-over.ts';
import { inboxTexts } from './texts.ts';
import type { RunningChange } from './use-conversation-change.ts';
import { type Team, useAssigneeName } from './use-names.ts';

interface Props {
  readonly conversation: Conversation;
  readonly customer: string;
  readonly team: Team;
  /** The agent that replies after the conversation is handed back. */
  readonly agent: Team['agents'][number] | undefined;
  readonly running: RunningChange;
}

/** The customer, the assignee and the status of a conversation. */
export function ConversationHead({ conversation, customer, team, agent, running }: Props) {
  const t = useCatalogue(inboxTexts);
  const { id: own } = useProfile();
  const mayEngage = useMay('messaging:conversation:engage');
  const { assignee, status } = conversation;
  const isDisabled = !mayEngage || running.isPending;
  const isMine = assignee?.type === 'member' && assignee.id === own;
  const takeOver = () => running.change({ assignee: { type: 'member', id: own } }, t.takenOver);
  const giveBack = ({ id, name }: { readonly id: string; readonly name: string }) =>
    running.change(handBack(status, id), fill(t.handedBack, { name }));
  return (
    <header className="inbox-head">
      <div className="inbox-head-line">
        <BackLink />
        <h2 dir="auto">{customer}</h2>
        <div className="actions">
          {mayEngage && !isMine && (
            <button type="button" className="button small primary" disabled={isDisabled} onClick={takeOver}>
              {t.takeOver}
            </button>
          )}
          {mayEngage && agent && isWithTeam(conversation) && (
            <button type="button" className="button small" disabled={isDisabled} onClick={() => giveBack(agent)}>
              {fill(t.handBack, { name: agent.name || agent.id })}
            </button>
          )}
        </div>
      </div>
      <div className="inbox-head-line inbox-head-choices">
        <AssigneeSelect
          assignee={assignee}
          team={team}
          isDisabled={isDisabled}
          assign={(next) => running.change({ assignee: next })}
        />
        <label className="inbox-choice">
          <span className="label">{t.status}</span>
          <select
            value={status}
            disabled={isDisabled}
            onChange={({ target }) => running.change({ status: target.value as typeof status })}
          >
            <Options of={statuses.map((status) => ({ value: status, label: t[status] }))} />
          </select>
        </label>
      </div>
      <ConversationDetails conversation={conversation} team={team} isDisabled={isDisabled} change={running.change} />
      <ConversationConflict running={running} team={team} />
    </header>
  );
}

type Assignee = Conversation['assignee'];

interface AssigneeProps extends Pick<Props, 'team'> {
  readonly assignee: Assignee;
  readonly isDisabled: boolean;
  readonly assign: (assignee: Assignee) => void;
}

/** Assigns a conversation to an active member or an enabled agent, or removes the assignment. */
function AssigneeSelect({ assignee, team, isDisabled, assign }: AssigneeProps) {
  const t = useCatalogue(inboxTexts);
  const nameOf = useAssigneeName();
  const members = team.members.filter(({ active }) => active).map(({ id }) => ({ type: 'member', id }) as const);
  const agents = team.agents.filter(({ enabled }) => enabled).map(({ id }) => ({ type: 'agent', id }) as const);
  const isListed = [...members, ...agents].some((candidate) => keyOfAssignee(candidate) === keyOfAssignee(assignee));
  const option = (candidate: Assignee) => (
    <option key={keyOfAssignee(candidate)} value={keyOfAssignee(candidate)}>
      {nameOf(candidate, team)}
    </option>
  );
  return (
    <label className="inbox-choice">
      <span className="label">{t.assignee}</span>
      <select
        value={keyOfAssignee(assignee)}
        disabled={isDisabled}
        onChange={({ target }) => assign(assigneeOfKey(target.value))}
      >
        {option(null)}
        {assignee && !isListed && option(assignee)}
        <optgroup label={t.members}>{members.map(option)}</optgroup>
        {agents.length > 0 && <optgroup label={t.agents}>{agents.map(option)}</optgroup>}
      </select>
    </label>
  );
}

/** Shown after a concurrent change of the conversation. The member chooses the values that are kept. */
function ConversationConflict({ running: { conflict, close, resolve }, team }: Pick<Props, 'running' | 'team'>) {
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
