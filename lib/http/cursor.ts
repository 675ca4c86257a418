import { createHash } from 'node:crypto';
import { jsonHash } from '#lib/domain/text/json-hash.ts';

/** Longer texts are no cursors; a position is a sort value and an id. */
const charactersMax = 4096;
const checkCharacters = 16;

/**
 * A cursor of a list: where the next page begins. It checks itself, so that a cursor which was cut, changed or made for
 * another list is told from one that counts. It proves nothing about who made it, so a position must not grant anything.
 * @param list all that makes two lists the same: workspace, list, filter, order
 * @param position where the next page begins
 */
export function cursorOf(list: unknown, position: unknown): string {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${checkOf(list, text)}${text}`;
}

/** @returns the position, or nothing for a text that is no cursor of this list */
export function positionOf(list: unknown, cursor: string): unknown {
  if (cursor.length > charactersMax) return undefined;
  const text = cursor.slice(checkCharacters);
  if (cursor.slice(0, checkCharacters) !== checkOf(list, text)) return undefined;
  const position: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
  // Base64 has several spellings of one value; only our own counts.
  return cursorOf(list, position) === cursor ? position : undefined;
}

const checkOf = (list: unknown, text: string): string =>
  createHash('sha256')
    .update(`cursor\n${jsonHash(list)}\n${text}`)
    .digest('base64url')
    .slice(0, checkCharacters);
