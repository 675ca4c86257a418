import type { Principal } from '#lib/domain/access/principal.ts';
import type { KeyProof } from '../log/change-log.ts';
import { containerMemory } from '../memory/container-memory.ts';

/** The result of the last read of a credential. */
export interface SeenCaller {
  /** Undefined if the credential was not valid. */
  readonly principal: Principal | undefined;
  readonly expiresAt: string | null;
  /** Of a key whose request has read the log, too. */
  proof?: KeyProof | undefined;
  /** The hash of the secret of a visitor's key. */
  readonly secretHash?: string | undefined;
  /** How often work was begun for the caller since. */
  speculations?: number;
}

const seenBytes = 2_000;
/** Bounds the work that starts for a credential that has just been revoked. */
const speculationsMax = 8;

/** The callers that this container has read last, by the hash of their credential. */
export class SeenCallers {
  readonly #seen = containerMemory.view<SeenCaller>();

  find = (hash: string): SeenCaller | undefined => this.#seen.get(hash);

  /** Caches a read. Of unknown credentials there is no end, so only those are cached that were valid once. */
  remember(hash: string, seen: SeenCaller): void {
    if (seen.principal || this.find(hash)) this.#seen.set(hash, seen, seenBytes);
  }

  /** The caller, for work before the next read; undefined if the credential was not valid, or has expired since. */
  findForSpeculation(hash: string, now = Date.now()): Principal | undefined {
    const seen = this.find(hash);
    const { principal, expiresAt = null, speculations = 0 } = seen ?? {};
    if (!seen || !principal || isPast(expiresAt, now) || speculations >= speculationsMax) return undefined;
    seen.speculations = speculations + 1;
    return principal;
  }
}

export const isPast = (time: string | null, now: number): boolean => time !== null && Date.parse(time) <= now;
