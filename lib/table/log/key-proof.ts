import { derived } from '../memory/derived.ts';
import {
  type ChangeLog,
  hasEnded,
  isImporting,
  type KeyProof,
  type LoggedChange,
  trustedMilliseconds,
} from './change-log.ts';

/** The name of the mark of an import that writes keys or members. */
export const accessCollection = 'access';

const accessChanges = derived((changes: readonly LoggedChange[]) =>
  changes.filter(({ kind }) => kind === 'access').map(({ sk }) => sk),
);

/**
 * The proof of a key that the same request has read.
 * @param readAt when the read of the key began, in milliseconds since 1970
 * @returns undefined if a change may have been half visible, or while an import writes
 */
export function proofOfKey(
  { state, changes, view }: Pick<ChangeLog, 'state' | 'changes' | 'view'>,
  readAt: number,
): KeyProof | undefined {
  if (isImporting(state, accessCollection)) return undefined;
  const { imported } = state;
  // The key certainly includes these.
  const included = new Set(accessChanges(changes));
  if (![...included, imported].every((id) => hasEnded(id, readAt))) return undefined;
  // The log of another view may lack changes.
  const viewOfKey = new WeakRef(view);
  return {
    readAt,
    endsAt: readAt + trustedMilliseconds,
    // An import changes `imported` before its first write and after its last one.
    isUnchanged: (later) =>
      viewOfKey.deref() === later.view &&
      imported === later.state.imported &&
      accessChanges(later.changes).every((id) => included.has(id)),
  };
}
