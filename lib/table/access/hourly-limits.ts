import { createHash } from 'node:crypto';
import { isMade } from '../dynamodb/is-made.ts';
import { callsOf, key as keyOf } from '../keys.ts';
import type { Table, TransactItem, WorkspaceScope } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';
import type { CountedCaller } from './rate-limiter.ts';

/** The keys of counts, with the access patterns. */
const limitKeys = {
  /** R3: the bytes that a caller has sent in an hour in UTC, as `2026-11-20T09`, and a visitor in a day */
  sentBytes: (workspaceId: string, callerId: string, period: string) =>
    keyOf(callsOf(workspaceId, callerId), `SENT#${period}`),

  /** R4: the website channels that a caller has made in such an hour */
  madeChannels: (workspaceId: string, callerId: string, hour: string) =>
    keyOf(callsOf(workspaceId, callerId), `CHANNELS#${hour}`),

  /** R5: the invitations of a workspace on a day in UTC: all, and those of an address by its SHA-256 */
  invitations: (workspaceId: string, day: string, counted: string) =>
    keyOf(`RATE#${workspaceId}#invitations`, `${day}#${counted}`),
} as const;

/**
 * The bytes that one caller may announce in an hour of the clock. 5 GB are over 200 of the largest files. One
 * announcement allows up to 125 MB, and calls are unlimited by default. So a leaked key could otherwise fill the
 * bucket. A website or an agency that moves a whole menu stays far below.
 */
export const announcedBytesMax = 5_120 * 1_048_576;

/** The bytes that one visitor may send in a day. Photos and documents of a conversation stay far below. */
export const visitorBytesMax = 256 * 1_048_576;

/** The minimum size in the count. It also limits files without bytes: to 5,120 an hour, and 256 a day. */
const bytesMin = 1_048_576;

/**
 * Counts files before they are announced or stored (access pattern R3). Later failures do not reduce the count.
 * @param sizes of the files, in bytes
 * @param isVisitor a visitor has a limit of its own, for a day
 * @returns undefined, or if they exceed the limit, the seconds to wait; nothing is counted then
 * @throws Unavailable
 */
export async function countSentBytes(
  table: Table,
  { workspaceId, callerId }: CountedCaller,
  sizes: readonly number[],
  isVisitor: boolean,
  now = Date.now(),
): Promise<number | undefined> {
  const amount = sizes.reduce((sum, size) => sum + Math.max(size, bytesMin), 0);
  const key = limitKeys.sentBytes(workspaceId, callerId, isVisitor ? dayOf(now) : hourOf(now));
  const max = isVisitor ? visitorBytesMax : announcedBytesMax;
  const end = isVisitor ? nextOf(dayMilliseconds, now) : nextOf(hourMilliseconds, now);
  return (await isMade(table.update(key, addUntil(end, amount, max)))) ? undefined : secondsUntil(end, now);
}

// Counts the actions of a caller in an hour or a day of the clock. Times are in milliseconds since 1970.

const hourMilliseconds = 3_600_000;
const dayMilliseconds = 24 * hourMilliseconds;

const nextOf = (period: number, now: number): number => (Math.floor(now / period) + 1) * period;

/** The day in UTC, as `2026-11-20`. */
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** The hour in UTC, as `2026-11-20T09`. */
const hourOf = (now: number): string => new Date(now).toISOString().slice(0, 13);

const secondsUntil = (end: number, now: number): number => Math.max(1, Math.ceil((end - now) / 1_000));

export const secondsToNextHour = (now = Date.now()): number => secondsUntil(nextOf(hourMilliseconds, now), now);

/**
 * The website channels that one caller may make in an hour of the clock. A workspace has few websites, but a call
 * creates a channel for any host. So a leaked key, or a server that passes on unchecked hosts, could create unlimited
 * channels.
 */
export const channelsMax = 1_000;

/** The update that counts new channels. Its condition fails when they would be too many (access pattern R4). */
export const channelCount = ({ workspaceId, callerId }: CountedCaller, amount = 1, now = Date.now()) => ({
  Key: limitKeys.madeChannels(workspaceId, callerId, hourOf(now)),
  ...addUntil(nextOf(hourMilliseconds, now), amount, channelsMax),
});

const addUntil = (end: number, amount: number, max: number) => ({
  UpdateExpression: 'SET #ttl = :ttl ADD amount :amount',
  ConditionExpression: 'attribute_not_exists(amount) OR amount <= :room',
  ExpressionAttributeValues: {
    ':amount': amount,
    ':room': max - amount,
    ':ttl': Math.ceil((end + hourMilliseconds) / 1_000),
  },
});

/** In a day in UTC. A person gets few mails by a stranger, and a workspace is no sender of bulk mail. */
export const invitationsMax = { address: 3, workspace: 50 } as const;

/**
 * Counts an invitation before it is sent, for its address and for the workspace: both, or neither.
 * @returns undefined, or the seconds to wait if one of them has had too many @throws Unavailable
 */
export async function countInvitation(
  table: Table,
  { workspaceId }: WorkspaceScope,
  address: string,
  now = Date.now(),
): Promise<number | undefined> {
  const nextDay = nextOf(dayMilliseconds, now);
  const one = (counted: string, max: number): TransactItem => ({
    Update: { Key: limitKeys.invitations(workspaceId, dayOf(now), counted), ...addUntil(nextDay, 1, max) },
  });
  const counted = {
    address: one(createHash('sha256').update(address).digest('hex'), invitationsMax.address),
    workspace: one('ALL', invitationsMax.workspace),
  };
  return (await isMade(repeatTransaction(table, counted))) ? undefined : secondsUntil(nextDay, now);
}
