import type { Principal } from '#lib/domain/access/principal.ts';
import { containerMemory } from '../memory/container-memory.ts';

/** What the last read of a credential has found. */
export interface SeenCaller {
  /** Undefined when the credential did not count. */
  readonly principal: Principal | undefined;
  readonly expiresAt: string | null;
  /** When the read began, on the clock of clock.ts. */
  readonly readAt: number;
}

/** The weight of a principal with its permissions. */
const seenBytes = 2_000;
/** A credential that was just revoked costs no more work than so many requests, however many are in flight. */
const guessesMax = 8;

/** Whom the credentials of one kind belonged to when this container read them last, by the hash of each. */
export class SeenCallers<Seen extends SeenCaller = SeenCaller> {
  readonly #seen = containerMemory.view<{ readonly last: Seen; guesses: number }>();

  /** A read that began before another one says nothing new, although it may end later. */
  remember(hash: string, last: Seen): void {
    const before = this.#seen.get(hash)?.last;
    if (before ? before.readAt <= last.readAt : last.principal) this.#seen.set(hash, { last, guesses: 0 }, seenBytes);
  }

  find = (hash: string): Seen | undefined => this.#seen.get(hash)?.last;

  /**
   * The caller that a credential belonged to when it was read last: a guess, by which work can begin before it is read.
   * There is none for a credential that did not count then, or that has expired since.
   */
  guess(hash: string, now = Date.now()): Principal | undefined {
    const seen = this.#seen.get(hash);
    if (!seen?.last.principal || isPast(seen.last.expiresAt, now) || seen.guesses >= guessesMax) return undefined;
    seen.guesses++;
    return seen.last.principal;
  }
}

export const isPast = (time: string | null, now: number): boolean => time !== null && Date.parse(time) <= now;
