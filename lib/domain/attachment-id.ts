const timeLength = 9;
const pattern = /^att_([0-9a-z]{9})[0-9a-f]{24}$/;

/**
 * The id of a new attachment. The time is in it, because what is pending under the id is kept in order of time and is
 * to be found by the id alone.
 * @param createdAt milliseconds since 1970
 * @param random 24 hexadecimal digits
 */
export const attachmentId = (createdAt: number, random: string): string =>
  `att_${createdAt.toString(36).padStart(timeLength, '0')}${random}`;

/** When an attachment was made, in milliseconds since 1970; of an id that was not made here, nothing. */
export function timeOfAttachment(id: string): number | undefined {
  const time = pattern.exec(id)?.[1];
  return time === undefined ? undefined : Number.parseInt(time, 36);
}
