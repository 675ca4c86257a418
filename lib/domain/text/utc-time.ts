import { isDateTime, withoutLeapSecond } from './calendar.ts';

/** Times in a query, where a plus sign means a blank. */
export const queryTimes = '2026-01-31T09:00:00Z or 2026-01-31T12:00:00%2B03:00';

/** An RFC 3339 time as JavaScript reads it: in capitals, without a leap second. @returns undefined for any other text */
export function plainTime(text: string): string | undefined {
  const plain = withoutLeapSecond(text.toUpperCase());
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
