import { once } from 'node:events';
import type { CallTimes } from './call-times.ts';
import type { LocalService } from './local-service.ts';

/** How many of the service's calls since the last question had to wait for one before. */
export async function roundTripsOf({ child }: LocalService): Promise<number> {
  child.process.send('times');
  const [times] = (await once(child.process, 'message')) as [CallTimes];
  return sequentialCalls(times);
}

/** The most calls of which each began after the one before was answered: calls side by side count as one. */
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
