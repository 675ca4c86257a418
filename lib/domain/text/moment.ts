const daysLength = 'YYYY-MM-DD'.length;
const secondsLength = 'HH:MM:SS'.length;
const zonePattern = /(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Compares days, times of day, or both joined by a T, with or without a zone. Only parts that both have are compared,
 * so a day bounds a day and time by its day. Compared with a zoned time, a time without a zone is in UTC.
 * @returns below 0 if `a` is earlier, above 0 if it is later, otherwise 0
 */
export function compareMoments(a: string, b: string): number {
  const left = partsOf(a);
  const right = partsOf(b);
  if (isWhole(left) && isWhole(right))
    return secondOf(left) - secondOf(right) || compare(fractionOf(left), fractionOf(right));
  if (left.day !== '' && right.day !== '') return compare(left.day, right.day);
  return left.time !== '' && right.time !== '' ? compare(left.time, right.time) : 0;
}

interface Parts {
  readonly day: string;
  /** With seconds, and without trailing zeros. */
  readonly time: string;
  readonly zone: string;
}

function partsOf(moment: string): Parts {
  const hasDay = moment[4] === '-';
  const time = hasDay ? moment.slice(daysLength + 1) : moment;
  const zone = zonePattern.exec(time)?.[0] ?? '';
  return {
    day: hasDay ? moment.slice(0, daysLength) : '',
    time: withSeconds(time.slice(0, time.length - zone.length)),
    zone,
  };
}

function withSeconds(time: string): string {
  if (time.length === 'HH:MM'.length) return `${time}:00`;
  if (!time.includes('.')) return time;
  let end = time.length;
  while (time[end - 1] === '0') end--;
  return time.slice(0, time[end - 1] === '.' ? end - 1 : end);
}

const isWhole = ({ day, time }: Parts): boolean => day !== '' && time !== '';

const secondOf = ({ day, time, zone }: Parts): number =>
  Date.parse(`${day}T${time.slice(0, secondsLength)}${zone === '' ? 'Z' : zone}`);

/** Compared separately, because a JavaScript date holds only milliseconds. */
const fractionOf = ({ time }: Parts): string => time.slice(secondsLength);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
