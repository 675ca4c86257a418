import type { Member } from './member.ts';

/** A signed-in person: the verified address, and a hash of the issuer's name and its subject. */
export interface Person {
  /** Normalised by `memberAddress`. */
  readonly address: string;
  readonly identity: string;
}

const hourMilliseconds = 3_600_000;
/** See lib/spec/additions.md section 6. Reading the profile renews the idle time; nothing renews the absolute one. */
const idleMilliseconds = 12 * hourMilliseconds;
export const sessionSecondsMax = 7 * 24 * 3_600;
const renewMilliseconds = hourMilliseconds;

/** Times in milliseconds since 1970. */
export interface SessionTimes {
  readonly createdAt: number;
  /** The start of the idle time. */
  readonly usedAt: number;
}

/** The end of a session: the earlier of the idle and the absolute end. */
export const endOfSession = ({ createdAt, usedAt }: SessionTimes): number =>
  Math.min(createdAt + sessionSecondsMax * 1_000, usedAt + idleMilliseconds);

/** True when the idle time is old enough to be renewed. */
export const isToBeRenewed = ({ usedAt }: SessionTimes, now: number): boolean => now - usedAt >= renewMilliseconds;

/** A valid session with its member, as stored. */
export interface Session extends SessionTimes {
  readonly cookieHash: string;
  readonly workspaceId: string;
  readonly member: Member;
  readonly person: Person;
}

const cookiePattern = /^v1\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_.:-]{1,128})\.wss_[0-9A-Za-z]{43}$/;

/** The value of a session's cookie. It names the member, so that session and member are read in one round trip. */
export const sessionCookieValue = (workspaceId: string, memberId: string, random: string): string =>
  `v1.${workspaceId}.${memberId}.wss_${random}`;

/** Reads the cookie of a session. @returns undefined for a malformed one */
export function readSessionCookie(
  value: string,
): { readonly workspaceId: string; readonly memberId: string } | undefined {
  const [, workspaceId, memberId] = cookiePattern.exec(value) ?? [];
  return workspaceId === undefined || memberId === undefined ? undefined : { workspaceId, memberId };
}
