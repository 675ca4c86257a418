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

/** A point in time: milliseconds since 1970, and further digits of its second without trailing zeros. */
export interface Instant {
  readonly milliseconds: number;
  readonly rest: string;
}

/** The instant of an RFC 3339 time that was checked before, in capitals. */
export function storedInstant(text: string): Instant {
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  const milliseconds = Date.parse(withoutLeapSecond(text).replace(/(\.\d{3})\d+/, '$1'));
  // An expression for the zeros would take quadratic time.
  let end = fraction.length;
  while (fraction[end - 1] === '0') end--;
  return { milliseconds, rest: fraction.slice(3, Math.max(3, end)) };
}

export const compareInstants = (a: Instant, b: Instant): number =>
  a.milliseconds - b.milliseconds || (a.rest < b.rest ? -1 : Number(a.rest > b.rest));
