import type * as z from 'zod/mini';
import { cursorOf, foreignCursor, positionIn } from './cursor.ts';
import { badRequest } from './errors.ts';

/** A page that is asked for. */
export interface PageRequest {
  /** The parts that identify the list: workspace, list, filter, order. A cursor counts for one list. */
  readonly list: unknown;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

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
  /** A page ends before it has more bytes, but has at least one row. @default - no bound */
  readonly bytes?: { readonly of: (row: Row) => number; readonly max: number };
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
  { order, after, matches = () => true, lookedAtMax = Infinity, bytes }: Listed<Row, Position>,
): Promise<Page<Row>> {
  const position = cursor === undefined ? undefined : await positionIn(list, cursor, order.position);
  if (cursor !== undefined && position === undefined) throw badRequest([foreignCursor()]);
  const rows: Row[] = [];
  let lookedAt = 0;
  let size = 0;
  let last: Row | undefined;
  for await (const row of await after(position, limit + 1)) {
    const isMatch = matches(row);
    if (isMatch) size += bytes?.of(row) ?? 0;
    const isFull = rows.length === limit || (rows.length > 0 && bytes !== undefined && size > bytes.max);
    const isEnd = (isMatch && isFull) || lookedAt === lookedAtMax;
    if (isEnd && last !== undefined) return { rows, next: await cursorOf(list, order.of(last)) };
    if (isMatch) rows.push(row);
    lookedAt++;
    last = row;
  }
  return { rows, next: null };
}
