import * as z from 'zod/mini';
import { isDateTime } from './calendar.ts';

/**
 * A point in time of a record. Any RFC 3339 time is accepted. It is stored in UTC, truncated to milliseconds
 * (lib/spec/decisions.md section 3, lib/spec/additions.md section 8).
 */
export const TimeStamp = timeStamp('2026-01-31T09:00:00Z');
export type TimeStamp = z.infer<typeof TimeStamp>;

/** Times in a query, where a plus sign means a blank. */
export const queryTimes = '2026-01-31T09:00:00Z or 2026-01-31T12:00:00%2B03:00';

/** A point in time in a query. */
export const QueryTime = timeStamp(queryTimes);

function timeStamp(example: string) {
  return z.string().check(
    z.refine((text) => utcTime(text) !== undefined, `Must be a time such as ${example}.`),
    z.overwrite((text) => utcTime(text) ?? text),
  );
}

/** An RFC 3339 time as JavaScript reads it: in capitals, without a leap second. @returns undefined for any other text */
export function plainTime(text: string): string | undefined {
  // JavaScript has no leap seconds. The second before replaces one.
  const plain = text.toUpperCase().replace(/^(.{16}):60/, '$1:59');
  return /^.{10}T.{2}:.{2}:/.test(plain) && isDateTime(plain, 'with zone') ? plain : undefined;
}

/** Converts a time to the form `2026-01-31T09:00:00.000Z`. @returns undefined for an invalid time */
export function utcTime(text: string): string | undefined {
  const plain = plainTime(text);
  if (plain === undefined) return undefined;
  const time = new Date(plain.replace(/(\.\d{3})\d+/, '$1'));
  // A zone may move a time near the end of 9999 into a year of five digits.
  const year = time.getUTCFullYear();
  return year >= 0 && year <= 9_999 ? time.toISOString() : undefined;
}
