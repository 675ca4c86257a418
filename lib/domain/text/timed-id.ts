import { randomBytes } from 'node:crypto';

const timeLength = 9;
const pattern = /^([a-z]{1,8})_([0-9a-z]{9})[0-9a-f]{24}$/;

/**
 * A new id that contains its creation time, for records that are keyed by time and looked up by id. It cannot be guessed.
 * @param createdAt milliseconds since 1970
 */
export const timedId = (prefix: string, createdAt = Date.now()): string =>
  `${prefix}_${createdAt.toString(36).padStart(timeLength, '0')}${randomBytes(12).toString('hex')}`;

/** The time in milliseconds since 1970, or undefined for an id that this service did not make. */
export function timeInId(prefix: string, id: string): number | undefined {
  const [, idPrefix, time] = pattern.exec(id) ?? [];
  return idPrefix === prefix && time !== undefined ? Number.parseInt(time, 36) : undefined;
}
