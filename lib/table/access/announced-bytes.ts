import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import type { CountedCaller } from './rate-limiter.ts';

/**
 * The bytes that one caller may announce in an hour of the clock: 5 GB, or over 200 of the largest files. One
 * announcement allows up to 125 MB, and calls are unlimited by default. So a leaked key could otherwise fill the
 * bucket. A website or an agency that moves a whole menu stays far below.
 */
export const announcedBytesMax = 5_120 * 1_048_576;

/** The minimum size in the count. It also limits files without bytes, to 5,120 an hour. */
const bytesMin = 1_048_576;

const hourMilliseconds = 3_600_000;

/**
 * Counts files before they are announced (access pattern R3). Later failures do not reduce the count.
 * @param sizes of the files, in bytes
 * @returns undefined, or if they exceed the limit, the seconds to wait; nothing is counted then
 * @throws Unavailable
 */
export async function countAnnounced(
  table: Table,
  { workspaceId, callerId }: CountedCaller,
  sizes: readonly number[],
  now = Date.now(),
): Promise<number | undefined> {
  const bytes = sizes.reduce((sum, size) => sum + Math.max(size, bytesMin), 0);
  const next = (Math.floor(now / hourMilliseconds) + 1) * hourMilliseconds;
  try {
    await table.update(keys.announcedBytes(workspaceId, callerId, new Date(now).toISOString().slice(0, 13)), {
      UpdateExpression: 'SET #ttl = :ttl ADD bytes :bytes',
      ConditionExpression: 'attribute_not_exists(bytes) OR bytes <= :room',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':bytes': bytes,
        ':room': announcedBytesMax - bytes,
        ':ttl': Math.ceil((next + hourMilliseconds) / 1_000),
      },
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return Math.max(1, Math.ceil((next - now) / 1_000));
  }
}
