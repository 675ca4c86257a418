import { editingTexts } from '../editing/texts.ts';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue, useShownTime } from '../texts/use-texts.tsx';
import type { Draft } from './draft-store.ts';

interface Props {
  /** Drafts that no form has claimed. */
  readonly others: readonly Draft[];
  readonly restore: (other: Draft) => void;
  /** The time of the restored draft in the form, if any. Milliseconds since 1970. */
  readonly restoredAt?: number | undefined;
}

/** Shows that a draft was restored, and offers other drafts. */
export function OtherDrafts({ others, restore, restoredAt }: Props) {
  const t = useCatalogue(editingTexts);
  const timeOf = useShownTime();
  if (restoredAt === undefined && others.length === 0) return null;
  return (
    <div className="notice row">
      <p role="status">{restoredAt === undefined ? t.otherDrafts : fill(t.restored, { time: timeOf(restoredAt) })}</p>
      {others.map((draft) => (
        <button key={draft.key} type="button" className="button small" onClick={() => restore(draft)}>
          {fill(t.showDraft, { time: timeOf(draft.savedAt) })}
        </button>
      ))}
    </div>
  );
}
