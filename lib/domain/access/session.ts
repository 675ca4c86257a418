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

/** Times in milliseconds since 1970. */
export interface SessionTimes {
  readonly createdAt: number;
  /** The start of the idle time. */
  readonly usedAt: number;
}

export const endOfSession = ({ createdAt, usedAt }: SessionTimes): number =>
  Math.min(createdAt + sessionSecondsMax * 1_000, usedAt + idleMilliseconds);

/** A valid session of a person, as stored. */
export interface PersonSession extends SessionTimes {
  readonly cookieHash: string;
  readonly person: Person;
}

export interface Session extends PersonSession {
  readonly workspaceId: string;
  readonly member: Member;
}

const cookiePattern = /^v1\.([A-Za-z0-9_-]{0,64})\.([A-Za-z0-9_.:-]{0,128})\.wss_[0-9A-Za-z]{43}$/;

/** Reads the cookie of a session. @returns undefined for a malformed one */
export function readSessionCookie(
  value: string,
): { readonly workspaceId: string; readonly memberId: string } | undefined {
  const [, workspaceId, memberId] = cookiePattern.exec(value) ?? [];
  return workspaceId === undefined || memberId === undefined ? undefined : { workspaceId, memberId };
}
