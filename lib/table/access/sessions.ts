import { randomUUID } from 'node:crypto';
import {
  endOfSession,
  type Person,
  type PersonSession,
  type Session,
  type SessionTimes,
} from '#lib/domain/access/session.ts';
import { isStill, setting } from '../dynamodb/conditions.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Item, Table, TransactItem, Writes } from '../table.ts';
import { repeatWrite, tryTransaction } from '../writer/repeat-write.ts';
import { auditWrite } from './audit-events.ts';
import { hashOf, type SignInState, type StoredSession, signInStateOf } from './find-session.ts';
import { randomText } from './new-secret.ts';
import type { Membership } from './people.ts';

/** The item is a session, not the remains of one. */
const isSession = { ConditionExpression: 'attribute_exists(#epoch)' };

/** Idle time that is so old is renewed. */
const renewMilliseconds = 3_600_000;

/** Restarts the idle time of a session, at most hourly. @returns its new times */
export async function renewSession(table: Table, session: Session, now = Date.now()): Promise<SessionTimes> {
  const { cookieHash, createdAt, usedAt } = session;
  if (now - usedAt < renewMilliseconds) return { createdAt, usedAt };
  const times = { createdAt, usedAt: now };
  await table.update(keys.session(cookieHash), setting({ usedAt: now, ttl: lifeOf(times) }, isSession));
  return times;
}

/** Whether a valid session is still stored: it was neither ended nor replaced since it was read. */
export async function isSessionStored(
  table: Table,
  { cookieHash }: Pick<PersonSession, 'cookieHash'>,
): Promise<boolean> {
  const item = await table.get(keys.session(cookieHash));
  return item !== undefined && !('replacedBy' in item);
}

/** Ends a session, and the one that a concurrent switch has replaced it with. It is safe to repeat. */
export async function endSession(table: Table, { cookieHash }: Pick<Session, 'cookieHash'>): Promise<void> {
  let hash = cookieHash;
  await repeatWrite<Writes, 'ended'>(table, {
    // The error of a failed condition has the stored item, which names the replacement.
    prepare: () => ({
      session: { Delete: { Key: keys.session(hash), ConditionExpression: 'attribute_not_exists(#replacedBy)' } },
    }),
    write: async (writes) => {
      try {
        return (await tryTransaction(table, writes)) ?? 'ended';
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        hash = String(error.item?.['replacedBy']);
        return 'changed';
      }
    },
  });
}

interface Beginning {
  readonly person: Person;
  readonly membership: Membership;
  /** The session that the new one replaces in the same transaction. The new one keeps its times. */
  readonly replaced?: PersonSession;
  readonly requestId: string | null;
}

export interface NewSession {
  /** The value of its cookie. */
  readonly cookie: string;
  /** Their conditions fail if the member or the replaced session has changed since the read. */
  readonly writes: Writes;
}

/** Prepares a session of a member. If the member has no pinned identity, the session pins this one. */
export function newSession({ person, membership, replaced, requestId }: Beginning, now = Date.now()): NewSession {
  const { workspace, member, item } = membership;
  const cookie = sessionCookieValue(workspace.id, member.id, randomText());
  const hash = hashOf(cookie);
  const key = keys.session(hash);
  const epoch = signInStateOf(item).epoch ?? randomUUID();
  const times = replaced ? { createdAt: replaced.createdAt, usedAt: replaced.usedAt } : { createdAt: now, usedAt: now };
  const stored: StoredSession = { workspaceId: workspace.id, memberId: member.id, ...person, epoch, ...times };
  const membershipKey = keys.membership(person.address, workspace.id);
  const writes: Writes = {
    session: { Put: { Item: { ...key, ...stored, ttl: lifeOf(times) } } },
    member: noteSignIn(item, { identity: person.identity, epoch }),
    // The person's next session starts in this workspace.
    membership: { Update: { Key: membershipKey, ...setting({ signedInAt: now }, isStill('id', member.id)) } },
    ...signInEvent(membership, requestId),
    ...(replaced && { replaced: replacement(replaced, hash) }),
  };
  return { cookie, writes };
}

/** Prepares a session of a person who has yet to choose or to accept a workspace. */
export function newPersonSession(person: Person, now = Date.now()): NewSession {
  const cookie = sessionCookieValue('', '', randomText());
  const epoch = randomUUID();
  const times = { createdAt: now, usedAt: now };
  const stored: StoredSession = { workspaceId: '', memberId: '', ...person, epoch, ...times };
  const item = { ...keys.session(hashOf(cookie)), ...stored, ttl: lifeOf(times) };
  return { cookie, writes: { session: { Put: { Item: item } } } };
}

/** Its condition: the member has not changed since it was read. */
function noteSignIn(item: Item, { identity, epoch }: Required<Pick<SignInState, 'identity' | 'epoch'>>): TransactItem {
  const isEpoch = signInStateOf(item).epoch === undefined ? 'attribute_not_exists(#epoch)' : '#epoch = :epoch';
  const isUnchanged = {
    ConditionExpression: `#record = :record AND (attribute_not_exists(#identity) OR #identity = :identity) AND ${isEpoch}`,
    ExpressionAttributeValues: { ':record': item['record'] },
  };
  return { Update: { Key: { pk: item.pk, sk: item.sk }, ...setting({ identity, epoch }, isUnchanged) } };
}

/** The event has no address (IP) of the caller: a record of where people were is no purpose of the log. */
const signInEvent = ({ workspace, member: { id, name } }: Membership, requestId: string | null): Writes =>
  auditWrite(
    { workspaceId: workspace.id },
    {
      actor: { type: 'member', id, name },
      action: 'signIn',
      recordKind: 'members',
      recordId: id,
      changed: [],
      requestId,
    },
  );

/**
 * The remains of a session that a switch has replaced. Through them, a concurrent sign-out ends the new session. Fails for
 * an ended session, so only one of two concurrent switches succeeds.
 * @param replacedBy the hash of the new session's cookie
 */
const replacement = (former: PersonSession, replacedBy: string): TransactItem => ({
  Put: {
    Item: {
      ...keys.session(former.cookieHash),
      replacedBy,
      ttl: lifeOf(former),
    },
    ...isSession,
  },
});

/** The time from which DynamoDB may delete the session, in seconds since 1970. */
const lifeOf = (times: SessionTimes): number => Math.ceil(endOfSession(times) / 1_000);

/**
 * The value of a session's cookie. It names the member, so that session and member are read in one round trip. Both ids
 * are empty while the person has not chosen a workspace.
 */
const sessionCookieValue = (workspaceId: string, memberId: string, random: string): string =>
  `v1.${workspaceId}.${memberId}.wss_${random}`;
