import { once } from 'node:events';
import type { CallTimes } from './call-times.ts';
import type { LocalService } from './local-service.ts';

/** The number of the service's sequential calls since the last request of this number. */
export async function roundTripsOf({ child }: LocalService): Promise<number> {
  child.process.send('times');
  const [times] = (await once(child.process, 'message')) as [CallTimes];
  return sequentialCalls(times);
}

/**
 * The length of the longest chain of calls in which each began after the end of the previous one. Concurrent calls
 * count as one.
 */
export function sequentialCalls(times: CallTimes): number {
  let count = 0;
  let answeredAt = Number.NEGATIVE_INFINITY;
  for (const [from, to] of times.toSorted(([, a], [, b]) => a - b)) {
    if (from < answeredAt) continue;
    count++;
    answeredAt = to;
  }
  return count;
}
