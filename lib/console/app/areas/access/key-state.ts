/** The state of a key at a moment. */
export type KeyState = 'active' | 'ending' | 'expired' | 'revoked';

export interface Ends {
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

const soonMilliseconds = 14 * 24 * 60 * 60 * 1_000;

/** @param now in milliseconds since 1970. As in the service, a revocation is in effect from its time on */
export function keyState({ expiresAt, revokedAt }: Ends, now: number): KeyState {
  if (revokedAt !== null && Date.parse(revokedAt) <= now) return 'revoked';
  if (expiresAt === null) return 'active';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  return left <= soonMilliseconds ? 'ending' : 'active';
}

/** The last use of a key is stored to the hour, so it is not shown more precisely. */
export const isWithinHour = (time: string, now: number): boolean => now - Date.parse(time) < 2 * 60 * 60 * 1_000;
