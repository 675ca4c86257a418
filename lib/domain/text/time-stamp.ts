import * as z from 'zod/mini';
import { isDateTime } from './calendar.ts';

/**
 * A point in time of a record. Any RFC 3339 time is accepted. It is stored in UTC, truncated to milliseconds
 * (lib/spec/decisions.md section 3, lib/spec/additions.md section 8).
 */
export const TimeStamp = z.string().check(
  z.refine((text) => utcTime(text) !== undefined, 'Must be a time such as 2026-01-31T09:00:00Z.'),
  z.overwrite((text) => utcTime(text) ?? text),
);
export type TimeStamp = z.infer<typeof TimeStamp>;

/** Converts a time to the form `2026-01-31T09:00:00.000Z`. @returns undefined for an invalid time */
export function utcTime(input: string): string | undefined {
  if (!/^.{10}t.{2}:.{2}:/i.test(input)) return undefined;
  const text = input.toUpperCase();
  // JavaScript has no leap seconds. The second before replaces one.
  const plain = text.replace(/^(.{16}):60/, '$1:59');
  if (!isDateTime(plain, 'with zone')) return undefined;
  const time = new Date(plain.replace(/(\.\d{3})\d+/, '$1'));
  // A zone may move a time near the end of 9999 into a year of five digits.
  const year = time.getUTCFullYear();
  return year >= 0 && year <= 9_999 ? time.toISOString() : undefined;
}
