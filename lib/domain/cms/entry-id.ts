import { timedId, timeInId } from '../text/timed-id.ts';

/**
 * The id of an entry that is created without one. It contains the creation time, so that the entry's sort key can be
 * read without its pointer.
 * @param createdAt milliseconds since 1970
 * @param random 24 hexadecimal digits
 */
export const entryId = (createdAt: number, random: string): string => timedId('entry', createdAt, random);

/** The time in the id as an ISO 8601 string, or undefined for an id of another form. It is the usual `createdAt`. */
export function timeOfEntry(id: string): string | undefined {
  const time = timeInId('entry', id);
  return time === undefined ? undefined : new Date(time).toISOString();
}
