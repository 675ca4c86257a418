const timeLength = 9;
const pattern = /^([a-z]{1,8})_([0-9a-z]{9})[0-9a-f]{24}$/;

/**
 * An id that contains its creation time, for records that are keyed by time and looked up by id.
 * @param createdAt milliseconds since 1970
 * @param random 24 hexadecimal digits
 */
export const timedId = (prefix: string, createdAt: number, random: string): string =>
  `${prefix}_${createdAt.toString(36).padStart(timeLength, '0')}${random}`;

/** The time in milliseconds since 1970, or undefined for an id that this service did not make. */
export function timeInId(prefix: string, id: string): number | undefined {
  const [, idPrefix, time] = pattern.exec(id) ?? [];
  return idPrefix === prefix && time !== undefined ? Number.parseInt(time, 36) : undefined;
}
