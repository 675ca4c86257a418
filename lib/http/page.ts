import * as z from 'zod/mini';
import { RecordId } from '#lib/domain/text/identifier.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { utcTime } from '#lib/domain/text/time-stamp.ts';
import { isSigned, signatureOf } from '#lib/secrets/own-signature.ts';
import { badRequest, invalidQuery, type RequestIssue } from './errors.ts';

/** A page that is asked for. */
export interface PageRequest {
  /** The parts that identify the list: workspace, list, filter, order. A cursor counts for one list. */
  readonly list: unknown;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The rows of a list in its order. */
export interface Listed<Row, Position> {
  readonly order: {
    /** A position as a cursor contains it. */
    readonly position: z.ZodMiniType<Position>;
    readonly of: (row: Row) => Position;
  };
  /**
   * The rows after a position, or all rows.
   * @param count the number of rows that a page needs, if all of them match
   */
  readonly after: (position: Position | undefined, count: number) => Rows<Row> | Promise<Rows<Row>>;
  /** @default - every row matches */
  readonly matches?: (row: Row) => boolean;
  /** The number of rows after which a page ends, even with fewer rows than its limit. @default - none */
  readonly lookedAtMax?: number;
}

type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * Reads a page. The next one begins after the last row that was looked at, so each row is looked at one time.
 * @throws 400 for a cursor that is not of this list
 */
export async function pageOf<Row, Position>(
  { list, limit, cursor }: PageRequest,
  { order, after, matches = () => true, lookedAtMax = Infinity }: Listed<Row, Position>,
): Promise<Page<Row>> {
  const position = cursor === undefined ? undefined : await positionIn(list, cursor, order.position);
  if (cursor !== undefined && position === undefined) throw badRequest([foreignCursor()]);
  const rows: Row[] = [];
  let lookedAt = 0;
  let last: Row | undefined;
  for await (const row of await after(position, limit + 1)) {
    const isMatch = matches(row);
    const isEnd = (isMatch && rows.length === limit) || lookedAt === lookedAtMax;
    if (isEnd && last !== undefined) return { rows, next: await cursorOf(list, order.of(last)) };
    if (isMatch) rows.push(row);
    lookedAt++;
    last = row;
  }
  return { rows, next: null };
}

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
  const parsed = z.safeParse(z.tuple([z.literal(nameOf(list)), position]), jsonIn(text));
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

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

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
