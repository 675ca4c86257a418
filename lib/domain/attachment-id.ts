const timeLength = 9;
const pattern = /^att_([0-9a-z]{9})[0-9a-f]{24}$/;

/**
 * The id of a new attachment. It contains the time, because pending uploads are keyed by time and found by id alone.
 * @param createdAt milliseconds since 1970
 * @param random 24 hexadecimal digits
 */
export const attachmentId = (createdAt: number, random: string): string =>
  `att_${createdAt.toString(36).padStart(timeLength, '0')}${random}`;

/** The creation time in milliseconds since 1970, or undefined for an id that this service did not make. */
export function timeOfAttachment(id: string): number | undefined {
  const time = pattern.exec(id)?.[1];
  return time === undefined ? undefined : Number.parseInt(time, 36);
}
