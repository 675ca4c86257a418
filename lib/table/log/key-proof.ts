import { derived } from '../memory/derived.ts';
import { type ChangeLog, hasEnded, type KeyProof, type LoggedChange, trustedMilliseconds } from './change-log.ts';

const accessChanges = derived((changes: readonly LoggedChange[]) =>
  changes.filter(({ kind }) => kind === 'access').map(({ sk }) => sk),
);

/**
 * The proof of a key that the same request has read.
 * @param readAt when the read of the key began, in milliseconds since 1970
 * @returns undefined if a change may have been half visible
 */
export function proofOfKey(
  { changes, view }: Pick<ChangeLog, 'changes' | 'view'>,
  readAt: number,
): KeyProof | undefined {
  // The key certainly includes these.
  const included = new Set(accessChanges(changes));
  if (![...included].every((id) => hasEnded(id, readAt))) return undefined;
  // The log of another view may lack changes.
  const viewOfKey = new WeakRef(view);
  return {
    readAt,
    endsAt: readAt + trustedMilliseconds,
    isUnchanged: (later) =>
      viewOfKey.deref() === later.view && accessChanges(later.changes).every((id) => included.has(id)),
  };
}
