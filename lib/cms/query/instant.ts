import { isDateTime, isDay } from '#lib/domain/text/calendar.ts';

/** A point in time: milliseconds since 1970, and further digits of its second without trailing zeros. */
export interface Instant {
  readonly milliseconds: number;
  readonly rest: string;
}

/** Reads an RFC 3339 time, or the first instant of a day in UTC. @returns undefined for any other string */
export function instantOf(text: string): Instant | undefined {
  if (isDay(text)) return { milliseconds: Date.parse(`${text}T00:00:00Z`), rest: '' };
  // JavaScript has no leap seconds. The previous second replaces one.
  const plain = text.toUpperCase().replace(/^(.{16}):60/, '$1:59');
  return /^.{10}T.{2}:.{2}:/.test(plain) && isDateTime(plain, 'with zone') ? storedInstant(plain) : undefined;
}

/** Like `instantOf`, for a time that was checked when it was stored. */
export function storedInstant(text: string): Instant {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const milliseconds = Date.parse(fraction.length > 3 ? text.replace(fraction, fraction.slice(0, 3)) : text);
  return { milliseconds, rest: fraction.slice(3).replace(/0+$/, '') };
}

export const compareInstants = (a: Instant, b: Instant): number =>
  a.milliseconds - b.milliseconds || (a.rest < b.rest ? -1 : Number(a.rest > b.rest));
