import { type ChangeLog, hasEnded, isImporting, type LoggedChange, trustedMilliseconds } from '../log/change-log.ts';
import { derived } from '../memory/derived.ts';

/** The name of the mark of an import that writes keys or members. */
export const accessCollection = 'access';

/** What the log said when a key was read. Later logs show by it whether the key is still the same. */
export interface KeyProof {
  /** The view of the log. The log of another view may lack changes. */
  readonly view: WeakRef<object>;
  /** The changes of keys and members that the key certainly includes. */
  readonly changes: ReadonlySet<string>;
  readonly imported: string | undefined;
  /** When the read of the key began, in milliseconds since 1970. */
  readonly readAt: number;
}

/**
 * @param log read by the request that has read the key
 * @param readAt when the read of the key began, in milliseconds since 1970
 * @returns undefined if a change may have been half visible, or while an import writes
 */
export function proofOf({ state, changes, view }: ChangeLog, readAt: number): KeyProof | undefined {
  const ids = accessChanges(changes);
  if (isImporting(state, accessCollection)) return undefined;
  if (![...ids, state.imported].every((id) => hasEnded(id, readAt))) return undefined;
  return { view: new WeakRef(view), changes: new Set(ids), imported: state.imported, readAt };
}

/** Whether the log may prove the key. After ten minutes the key is read again, so that no fault of a clock lasts. */
export const isYoung = ({ readAt }: KeyProof, now: number): boolean =>
  now >= readAt && now - readAt < trustedMilliseconds;

/** Whether no key of the workspace has changed since the key was read. An import changes `imported` first and last. */
export const isUnchanged = (proof: KeyProof, { state, changes, view }: ChangeLog): boolean =>
  proof.view.deref() === view &&
  proof.imported === state.imported &&
  accessChanges(changes).every((id) => proof.changes.has(id));

const accessChanges = derived((changes: readonly LoggedChange[]) =>
  changes.filter(({ kind }) => kind === 'access').map(({ sk }) => sk),
);
