import { createHash } from 'node:crypto';
import { jsonHash } from '#lib/domain/text/json-hash.ts';

/**
 * A longer string is not a cursor. The longest holds three sort values of 200 characters, six bytes each as JSON escapes
 * them, and where its entry is: some 5,100 characters, of the 10 KB that an address and its headers may have.
 */
const charactersMax = 6_144;
const checkCharacters = 16;

/**
 * A cursor of a list: where the next page begins. It contains a checksum, so that a cursor that was cut, changed or
 * made for another list is refused. The checksum does not prove who made the cursor, so a position must not grant
 * access.
 * @param list what identifies the list: workspace, list, filter, order
 * @param position where the next page begins
 */
export function cursorOf(list: unknown, position: unknown): string {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${checkOf(list, text)}${text}`;
}

/** @returns the position; undefined if the string is not a cursor of this list */
export function positionOf(list: unknown, cursor: string): unknown {
  if (cursor.length > charactersMax) return undefined;
  const text = cursor.slice(checkCharacters);
  if (cursor.slice(0, checkCharacters) !== checkOf(list, text)) return undefined;
  const position: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
  // Base64 can spell one value in several ways. Only ours is accepted.
  return cursorOf(list, position) === cursor ? position : undefined;
}

const checkOf = (list: unknown, text: string): string =>
  createHash('sha256')
    .update(`cursor\n${jsonHash(list)}\n${text}`)
    .digest('base64url')
    .slice(0, checkCharacters);
