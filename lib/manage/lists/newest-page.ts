import { answerBytesMax, travelBytes } from '#lib/domain/answer-size.ts';
import type { JsonObject } from '#lib/domain/input.ts';
import { cursorOf } from '#lib/http/cursor.ts';
import { pageOf } from '#lib/http/page.ts';
import { type DatedKind, hasTimeOfCreation, isDatedKind } from '#lib/table/dated-ids.ts';
import { recordsByTime, recordsWithoutTime } from '#lib/table/dated-records.ts';
import { keys } from '#lib/table/keys.ts';
import { recordOf } from '#lib/table/table.ts';
import {
  type Dated,
  type ListQuery,
  type ListRequest,
  matcherOf,
  newestFirst,
  type PlainKind,
  perPage,
  type ReadPage,
  type TimePosition,
} from './list-query.ts';

/** The number of records per read, if the list leaves some out. */
const searchedPerRead = 500;
/** The size of the records that a page looks at. The rest of an answer is for the names of files. */
const bytesMax = answerBytesMax - 512 * 1_024;
const bytesOf = (record: object): number => travelBytes(JSON.stringify(record));

/**
 * Newest first, ties by id. Where ids of the service begin with their time, only the records of the page, and skipped
 * ones, are read. Ids from a document have no time, so all such records are read.
 * A page ends before it is too large to be sent, or has looked at too much, because others write form responses.
 * @param show makes the records of a page as they are shown
 */
export const newestPage =
  <Stored extends Dated>(
    kind: PlainKind,
    show?: (request: ListRequest, records: readonly Stored[]) => Promise<readonly object[]>,
  ): ReadPage =>
  async (request, query) => {
    let end: Stored | undefined;
    const { rows, next } = await pageOf<Stored, TimePosition>(query, {
      order: newestFirst,
      after: async (position, count) => {
        const found = await recordsAfter<Stored>(kind, request, query, position, count);
        end = found.end;
        return found.records;
      },
      bytes: { of: bytesOf, max: bytesMax },
    });
    return {
      records: show ? await show(request, rows) : rows,
      next: next ?? (end ? await cursorOf(query.list, newestFirst.of(end)) : null),
    };
  };

interface Found<Stored> {
  readonly records: Stored[];
  /** The last record that was looked at, unless it is the last one of the list or `count` records match. */
  readonly end?: Stored;
}

/** The first matching records after a position: `count`, if there are as many among those that a page looks at. */
async function recordsAfter<Stored extends Dated>(
  kind: PlainKind,
  { table, principal }: ListRequest,
  query: ListQuery,
  position: TimePosition | undefined,
  count: number,
): Promise<Found<Stored>> {
  const matches = matcherOf(kind, query);
  const isFollowing = (record: Stored) =>
    (!position || newestFirst.compare(newestFirst.of(record), position) > 0) &&
    matches(record as unknown as JsonObject);
  // These parameters bound the time of creation, where a kind has them.
  const { since, until } = query.kindParameters as { readonly since?: string; readonly until?: string };
  const range = {
    from: Date.parse(since ?? beginning),
    to: Math.min(Date.parse(until ?? endOfTime), Date.parse(position?.[0] ?? endOfTime)),
  };
  const isSearch = query.words.length > 0 || Object.values(query.kindParameters).some((value) => value !== undefined);
  const [others, { records: timed, end }] = isDatedKind(kind)
    ? await Promise.all([
        recordsWithoutTime<Stored>(table, principal, kind),
        firstOf(
          kind,
          recordsByTime<Stored>(table, principal, kind, range, isSearch ? searchedPerRead : count + 1),
          isFollowing,
          count,
        ),
      ])
    : [
        await Array.fromAsync(
          table.query({ pk: keys.records(principal.workspaceId, kind), perPage }),
          recordOf<Stored>,
        ),
        { records: [] },
      ];
  const inOrder = (a: Stored, b: Stored) => newestFirst.compare(newestFirst.of(a), newestFirst.of(b));
  const found = [...others.filter(isFollowing), ...timed].filter((record) => !end || inOrder(record, end) <= 0);
  const unique = new Map(found.map((record) => [record.id, record]));
  return { records: [...unique.values()].sort(inOrder), ...(end && { end }) };
}

const beginning = '1970-01-01T00:00:00.000Z';
const endOfTime = '9999-12-31T23:59:59.999Z';

/** @param count includes only records that have their place in the order of the iteration */
async function firstOf<Stored extends Dated>(
  kind: DatedKind,
  iterated: AsyncIterable<Stored>,
  isWanted: (record: Stored) => boolean,
  count: number,
): Promise<Found<Stored>> {
  const records: Stored[] = [];
  let left = count;
  let bytesLeft = bytesMax;
  for await (const record of iterated) {
    if (isWanted(record)) records.push(record);
    bytesLeft -= bytesOf(record);
    if (!hasTimeOfCreation(kind, record)) continue;
    if (isWanted(record)) left--;
    if (left === 0) break;
    if (bytesLeft < 0) return { records, end: record };
  }
  return { records };
}
