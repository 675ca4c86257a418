import * as z from 'zod/mini';
import { jsonIn } from '#lib/domain/input.ts';
import { RecordId } from '#lib/domain/text/identifier.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { utcTime } from '#lib/domain/text/utc-time.ts';
import { isSigned, signatureOf } from '#lib/secrets/own-signature.ts';
import { invalidQuery, type RequestIssue } from './errors.ts';

/**
 * A longer string is not a cursor. The longest cursor has three sort values of 200 characters, escaped to six bytes
 * each, and a key. An address with its headers may have 10 KB.
 */
const charactersMax = 6_144;
const signatureCharacters = 43;

/** The cursor of the page after a position. It is signed, so that callers cannot make one. */
export async function cursorOf(list: unknown, position: unknown): Promise<string> {
  const text = Buffer.from(JSON.stringify([nameOf(list), position])).toString('base64url');
  return `${await signatureOf('cursor', text)}${text}`;
}

/**
 * The position in a cursor. It is checked beside its signature, because it becomes part of a key of the table.
 * @returns undefined if the string is not a cursor of this list
 */
export async function positionIn<Position>(
  list: unknown,
  cursor: string,
  position: z.ZodMiniType<Position>,
): Promise<Position | undefined> {
  if (cursor.length > charactersMax) return undefined;
  const text = cursor.slice(signatureCharacters);
  if (!(await isSigned('cursor', text, cursor.slice(0, signatureCharacters)))) return undefined;
  const parsed = z.safeParse(
    z.tuple([z.literal(nameOf(list)), position]),
    jsonIn(Buffer.from(text, 'base64url').toString()),
  );
  return parsed.data?.[1] as Position | undefined;
}

/** The issue of a cursor that is not of the list of the request. */
export const foreignCursor = (): RequestIssue =>
  invalidQuery({
    path: 'cursor',
    code: 'format',
    message: 'cursor: Must be the cursor from the previous page, with the same parameters.',
  });

const nameOf = (list: unknown): string => jsonHash(list).slice(0, 16);

/** A key of the table has at most this number of bytes. */
const bytesMax = 1_024;
const isTime = (text: string): boolean => utcTime(text) === text;

/** A text in a position. */
export const PositionText = z.string().check(z.refine((text) => Buffer.byteLength(text) <= bytesMax));

/** The time of a stored record. */
export const PositionTime = z.string().check(z.refine(isTime));

/** The sort key of records in the order of their times: `2026-01-31T09:00:00.000Z#id`. */
export const PositionKey = z.string().check(
  z.refine((text) => {
    const [time = '', id, ...others] = text.split('#');
    return isTime(time) && z.safeParse(RecordId, id).success && others.length === 0;
  }),
);
