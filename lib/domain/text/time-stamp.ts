import * as z from 'zod/mini';
import { queryTimes, utcTime } from './utc-time.ts';

/**
 * A point in time of a record. Any RFC 3339 time is accepted. It is stored in UTC, truncated to milliseconds
 * (lib/spec/decisions.md section 3, lib/spec/additions.md section 8).
 */
export const TimeStamp = timeStamp('2026-01-31T09:00:00Z');

/** A point in time in a query. */
export const QueryTime = timeStamp(queryTimes);

function timeStamp(example: string) {
  return z.string().check(
    z.refine((text) => utcTime(text) !== undefined, `Must be a time such as ${example}.`),
    z.overwrite((text) => utcTime(text) ?? text),
  );
}
