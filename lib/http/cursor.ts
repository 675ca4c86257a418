import { createHash } from 'node:crypto';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { badRequest, invalidQuery } from './errors.ts';

/**
 * A longer string is not a cursor. The longest cursor has three sort values of 200 characters, escaped to six bytes
 * each, and a key. That is about 5,100 characters. An address with its headers may have 10 KB.
 */
const charactersMax = 6_144;
const checkCharacters = 16;

/**
 * A cursor: the position at which the next page of a list begins. Its checksum reveals a cursor that was cut, changed
 * or made for another list. It does not prove who made the cursor, so a position must not grant access.
 * @param list the parts that identify the list: workspace, list, filter, order
 * @param position the position at which the next page begins
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
  // A value has several spellings in Base64. Only that of `cursorOf` is valid.
  return cursorOf(list, position) === cursor ? position : undefined;
}

/** 400 for a cursor that is not of the list of the request. */
export function foreignCursor() {
  const message = 'cursor: Must be the `next` of the previous page, with the same parameters.';
  return badRequest([invalidQuery({ path: 'cursor', code: 'format', message })]);
}

const checkOf = (list: unknown, text: string): string =>
  createHash('sha256')
    .update(`cursor\n${jsonHash(list)}\n${text}`)
    .digest('base64url')
    .slice(0, checkCharacters);
