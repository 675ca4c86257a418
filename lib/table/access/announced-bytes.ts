import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { addToHour, hourOf, secondsToNextHour } from './hourly-count.ts';
import type { CountedCaller } from './rate-limiter.ts';

/**
 * The bytes that one caller may announce in an hour of the clock. 5 GB are over 200 of the largest files. One
 * announcement allows up to 125 MB, and calls are unlimited by default. So a leaked key could otherwise fill the
 * bucket. A website or an agency that moves a whole menu stays far below.
 */
export const announcedBytesMax = 5_120 * 1_048_576;

/** The minimum size in the count. It also limits files without bytes, to 5,120 an hour. */
const bytesMin = 1_048_576;

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
  const amount = sizes.reduce((sum, size) => sum + Math.max(size, bytesMin), 0);
  const key = keys.announcedBytes(workspaceId, callerId, hourOf(now));
  try {
    await table.update(key, addToHour({ amount, max: announcedBytesMax, now }));
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return secondsToNextHour(now);
  }
}
