import type { Principal } from '#lib/domain/access/principal.ts';
import type { KeyProof } from '../log/change-log.ts';
import { containerMemory } from '../memory/container-memory.ts';

/** The result of the last read of a credential. */
export interface SeenCaller {
  /** Undefined if the credential was not valid. */
  readonly principal: Principal | undefined;
  readonly expiresAt: string | null;
  /** When the read began, on the clock of clock.ts. */
  readonly readAt: number;
  /** Of a key whose request has read the log, too. */
  proof?: KeyProof | undefined;
  /** The hash of the secret of a visitor's key. */
  readonly secretHash?: string | undefined;
}

/** The size of a principal with its permissions in memory. */
const seenBytes = 2_000;
/** Bounds the work that starts for a credential that has just been revoked. */
const speculationsMax = 8;

/** The callers that this container has read last, by the hash of their credential. */
export class SeenCallers {
  readonly #seen = containerMemory.view<{ readonly last: SeenCaller; speculations: number }>();

  /** Caches a read. It ignores a read that started before the cached one, even if it ended later. */
  remember(hash: string, last: SeenCaller): void {
    const before = this.#seen.get(hash)?.last;
    if (before ? before.readAt <= last.readAt : last.principal)
      this.#seen.set(hash, { last, speculations: 0 }, seenBytes);
  }

  find = (hash: string): SeenCaller | undefined => this.#seen.get(hash)?.last;

  /** Notes that the credential still has the caller of its last read. */
  confirm(hash: string): void {
    const seen = this.#seen.get(hash);
    if (seen) seen.speculations = 0;
  }

  /**
   * The caller of a credential at its last read, for speculative work before the next read. It is undefined if the
   * credential was not valid then, or has expired since.
   */
  findForSpeculation(hash: string, now = Date.now()): Principal | undefined {
    const seen = this.#seen.get(hash);
    if (!seen?.last.principal || isPast(seen.last.expiresAt, now) || seen.speculations >= speculationsMax)
      return undefined;
    seen.speculations++;
    return seen.last.principal;
  }
}

export const isPast = (time: string | null, now: number): boolean => time !== null && Date.parse(time) <= now;
