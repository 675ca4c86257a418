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

type Read = Pick<ChangeLog, 'state' | 'changes' | 'view'>;

/** What the log said when a key was read. */
class LoggedKey implements KeyProof {
  readonly readAt: number;
  /** Then the key is read again, so that no fault of a clock lasts. */
  readonly endsAt: number;
  /** The log of another view may lack changes. */
  readonly #view: WeakRef<object>;
  readonly #imported: string | undefined;
  /** The changes of keys and members that the key certainly includes. */
  readonly #changes: ReadonlySet<string>;

  constructor({ state, changes, view }: Read, readAt: number) {
    this.readAt = readAt;
    this.endsAt = readAt + trustedMilliseconds;
    this.#view = new WeakRef(view);
    this.#imported = state.imported;
    this.#changes = new Set(accessChanges(changes));
  }

  /** An import changes `imported` before its first write and after its last one. */
  isUnchanged({ state, changes, view }: Read): boolean {
    return (
      this.#view.deref() === view &&
      this.#imported === state.imported &&
      accessChanges(changes).every((id) => this.#changes.has(id))
    );
  }
}

const accessChanges = derived((changes: readonly LoggedChange[]) =>
  changes.filter(({ kind }) => kind === 'access').map(({ sk }) => sk),
);

/**
 * The proof of a key that the same request has read.
 * @param readAt when the read of the key began, in milliseconds since 1970
 * @returns undefined if a change may have been half visible, or while an import writes
 */
export function proofOfKey(log: Read, readAt: number): KeyProof | undefined {
  if (isImporting(log.state, accessCollection)) return undefined;
  const ids = [...accessChanges(log.changes), log.state.imported];
  return ids.every((id) => hasEnded(id, readAt)) ? new LoggedKey(log, readAt) : undefined;
}
