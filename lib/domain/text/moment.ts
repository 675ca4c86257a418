import { compareInstants, type Instant, storedInstant } from './utc-time.ts';

const zonePattern = /(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Compares two days, two times of day, or two moments: both joined by a T, with or without a zone. A moment without a
 * zone is in UTC.
 * @returns below 0 if `a` is earlier, above 0 if it is later, otherwise 0
 */
export const compareMoments = (a: string, b: string): number => compareInstants(instantOf(a), instantOf(b));

function instantOf(moment: string): Instant {
  const [day, time = '00:00'] = moment[4] === '-' ? moment.split('T') : ['1970-01-01', moment];
  return storedInstant(`${day}T${time}${zonePattern.test(time) ? '' : 'Z'}`);
}
