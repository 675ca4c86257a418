import { withoutLeapSecond } from './calendar.ts';

const daysLength = 'YYYY-MM-DD'.length;
const secondsLength = 'HH:MM:SS'.length;
const zonePattern = /(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Compares two days, two times of day, or two moments: both joined by a T, with or without a zone. A moment without a
 * zone is in UTC.
 * @returns below 0 if `a` is earlier, above 0 if it is later, otherwise 0
 */
export function compareMoments(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  return left.second - right.second || compare(left.fraction, right.fraction);
}

interface Parts {
  /** In milliseconds since 1970. */
  readonly second: number;
  /** Compared separately, because a JavaScript date holds only milliseconds. Without trailing zeros. */
  readonly fraction: string;
}

function partsOf(moment: string): Parts {
  const hasDay = moment[4] === '-';
  const day = hasDay ? moment.slice(0, daysLength) : '1970-01-01';
  const time = (hasDay ? moment.slice(daysLength + 1) : moment) || '00:00';
  const zone = zonePattern.exec(time)?.[0] ?? '';
  const digits = withSeconds(time.slice(0, time.length - zone.length));
  return {
    second: Date.parse(`${day}T${withoutLeapSecond(digits.slice(0, secondsLength))}${zone || 'Z'}`),
    fraction: digits.slice(secondsLength),
  };
}

function withSeconds(time: string): string {
  if (time.length === 'HH:MM'.length) return `${time}:00`;
  if (!time.includes('.')) return time;
  let end = time.length;
  while (time[end - 1] === '0') end--;
  return time.slice(0, time[end - 1] === '.' ? end - 1 : end);
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
