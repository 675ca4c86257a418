import type { Principal } from '#lib/domain/access/principal.ts';
import { containerMemory } from '../memory/container-memory.ts';

/** The result of the last read of a credential. */
export interface SeenCaller {
  /** Undefined if the credential was not valid. */
  readonly principal: Principal | undefined;
  readonly expiresAt: string | null;
  /** When the read began, on the clock of clock.ts. */
  readonly readAt: number;
}

/** The weight of a principal with its permissions. */
const seenBytes = 2_000;
/** Bounds the work that starts for a credential that has just been revoked. */
const guessesMax = 8;

/** The callers of one kind that this container saw last, by the hash of their credential. */
export class SeenCallers<Seen extends SeenCaller = SeenCaller> {
  readonly #seen = containerMemory.view<{ readonly last: Seen; guesses: number }>();

  /** A read that started earlier is ignored, even if it ends later. */
  remember(hash: string, last: Seen): void {
    const before = this.#seen.get(hash)?.last;
    if (before ? before.readAt <= last.readAt : last.principal) this.#seen.set(hash, { last, guesses: 0 }, seenBytes);
  }

  find = (hash: string): Seen | undefined => this.#seen.get(hash)?.last;

  /**
   * The caller that a credential belonged to at its last read: a guess, for work that starts before the next read.
   * Undefined if the credential was not valid then, or has expired since.
   */
  guess(hash: string, now = Date.now()): Principal | undefined {
    const seen = this.#seen.get(hash);
    if (!seen?.last.principal || isPast(seen.last.expiresAt, now) || seen.guesses >= guessesMax) return undefined;
    seen.guesses++;
    return seen.last.principal;
  }
}

export const isPast = (time: string | null, now: number): boolean => time !== null && Date.parse(time) <= now;
