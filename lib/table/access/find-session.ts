import { createHash } from 'node:crypto';
import type { Member } from '#lib/domain/access/member.ts';
import { isInEffect } from '#lib/domain/access/membership.ts';
import {
  endOfSession,
  type Person,
  type PersonSession,
  readSessionCookie,
  type Session,
  type SessionTimes,
} from '#lib/domain/access/session.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { keys } from '../keys.ts';
import { type Item, recordOf, type Table } from '../table.ts';

/** A stored session. Its key is the hash of its cookie, so that code never compares secrets. Ids may be empty. */
export interface StoredSession extends Person, SessionTimes {
  readonly workspaceId: string;
  readonly memberId: string;
  /** The member's `epoch` at the start of the session. */
  readonly epoch: string;
}

/**
 * The attributes of a member's item beside the record. Answers and exports do not contain them. A write of the record
 * keeps those that are still valid.
 */
export interface SignInState {
  /** The pinned identity: the hash of issuer and subject (`identityOf`). Absent until the first sign-in. */
  readonly identity?: string;
  /** Valid sessions of the member have the same value. Without it, no session is valid. */
  readonly epoch?: string;
  /** The address of the member who made the membership. */
  readonly invitedBy?: string;
}

export const signInStateOf = (item: Item): SignInState => item as SignInState;

export const hashOf = (cookie: string): string => createHash('sha256').update(cookie).digest('hex');

/**
 * Access pattern S1: the session of a cookie, read with its member on every request. It is invalid after its end, after
 * the member was deactivated, removed or given another address, and if the address belongs to another identity.
 */
export async function findSession(
  table: Table,
  cookie: string,
  now = Date.now(),
): Promise<Session | PersonSession | undefined> {
  const named = readSessionCookie(cookie);
  if (!named) return undefined;
  const isWithoutWorkspace = named.workspaceId === '' && named.memberId === '';
  if (!isWithoutWorkspace && !isRecordId(named.memberId)) return undefined;
  const cookieHash = hashOf(cookie);
  const [item, memberItem] = await Promise.all([
    table.get(keys.session(cookieHash)),
    isWithoutWorkspace ? undefined : table.get(keys.record(named.workspaceId, 'member', named.memberId)),
  ]);
  if (!item || 'replacedBy' in item) return undefined;
  const { workspaceId, address, identity, epoch, createdAt, usedAt } = item as Item & StoredSession;
  if (endOfSession({ createdAt, usedAt }) <= now) return undefined;
  const session = { cookieHash, person: { address, identity }, createdAt, usedAt };
  if (isWithoutWorkspace) return session;
  if (!memberItem) return undefined;
  const member = recordOf<Member>(memberItem);
  const state = signInStateOf(memberItem);
  // A stored address has the form of `memberAddress`, but for its capitals.
  if (!isInEffect(member) || member.email?.toLowerCase() !== address) return undefined;
  if (state.epoch !== epoch || (state.identity !== undefined && state.identity !== identity)) return undefined;
  return { ...session, workspaceId, member };
}
