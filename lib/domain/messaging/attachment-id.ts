import { timedId, timeInId } from '../text/timed-id.ts';

/**
 * The id of a new attachment. It contains the creation time, because pending uploads are keyed by time and looked up by
 * id.
 * @param createdAt milliseconds since 1970
 * @param random 24 hexadecimal digits
 */
export const attachmentId = (createdAt: number, random: string): string => timedId('att', createdAt, random);

/** The creation time in milliseconds since 1970, or undefined for an id that this service did not make. */
export const timeOfAttachment = (id: string): number | undefined => timeInId('att', id);
