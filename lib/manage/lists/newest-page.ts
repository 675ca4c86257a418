import { answerBytesMax, travelBytes } from '#lib/domain/answer-size.ts';
import type { JsonObject } from '#lib/domain/input.ts';
import { pageOf } from '#lib/http/page.ts';
import { hasTimeOfCreation, isDatedKind } from '#lib/table/dated-ids.ts';
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
  type ReadPage,
  type TimePosition,
} from './list-query.ts';

/** The number of records per read, if the list leaves some out. */
const searchedPerRead = 500;
/** The number of items in a page of the engine; it ends at 1 MB anyway. */
const perPage = 10_000;
/** The size of the records of a page. The rest of an answer is for the names of files. */
const bytesMax = answerBytesMax - 512 * 1_024;
const bytesOf = (record: object): number => travelBytes(JSON.stringify(record));

/**
 * Newest first, ties by id. Where ids of the service begin with their time, only the records of the page, and skipped
 * ones, are read. Ids from a document have no time, so all such records are read.
 * A page ends before it is too large to be sent, because others write form responses.
 * @param show makes the records of a page as they are shown
 */
export const newestPage =
  <Stored extends Dated>(
    kind: PlainKind,
    show?: (request: ListRequest, records: readonly Stored[]) => Promise<readonly object[]>,
  ): ReadPage =>
  async (request, query) => {
    const { rows, next } = await pageOf<Stored, TimePosition>(query, {
      order: newestFirst,
      after: (position, count) => recordsAfter(kind, { request, query, position, count }),
      bytes: { of: bytesOf, max: bytesMax },
    });
    return { records: show ? await show(request, rows) : rows, next };
  };

interface Range {
  readonly request: ListRequest;
  readonly query: ListQuery;
  readonly position: TimePosition | undefined;
  readonly count: number;
}

/** The first matching records after a position: `count`, or one more than fit into a page, if there are as many. */
async function recordsAfter<Stored extends Dated>(
  kind: PlainKind,
  { request: { table, principal }, query, position, count }: Range,
): Promise<Stored[]> {
  const matches = matcherOf(kind, query);
  const isFollowing = (record: Stored) =>
    (!position || newestFirst.compare(newestFirst.of(record), position) > 0) &&
    matches(record as unknown as JsonObject);
  // These parameters bound the time of creation, where a kind has them.
  const { since, until } = query.kindParameters as { readonly since?: string; readonly until?: string };
  const range = {
    from: Date.parse(since ?? beginning),
    to: Math.min(Date.parse(until ?? end), Date.parse(position?.[0] ?? end)),
  };
  const isSearch = query.words.length > 0 || Object.values(query.kindParameters).some((value) => value !== undefined);
  const [others, timed] = isDatedKind(kind)
    ? await Promise.all([
        recordsWithoutTime<Stored>(table, principal, kind),
        firstOf(recordsByTime<Stored>(table, principal, kind, range, isSearch ? searchedPerRead : count + 1), {
          isWanted: isFollowing,
          counts: (record) => hasTimeOfCreation(kind, record),
          count,
        }),
      ])
    : [
        await Array.fromAsync(
          table.query({ pk: keys.records(principal.workspaceId, kind), perPage }),
          recordOf<Stored>,
        ),
        [],
      ];
  const unique = new Map([...others.filter(isFollowing), ...timed].map((record) => [record.id, record]));
  return [...unique.values()].sort((a, b) => newestFirst.compare(newestFirst.of(a), newestFirst.of(b)));
}

const beginning = '1970-01-01T00:00:00.000Z';
const end = '9999-12-31T23:59:59.999Z';

interface Wanted<Stored> {
  readonly isWanted: (record: Stored) => boolean;
  /** Whether `count` and the bytes of a page include a matching record; others are counted separately. */
  readonly counts: (record: Stored) => boolean;
  readonly count: number;
}

async function firstOf<Stored extends object>(
  records: AsyncIterable<Stored>,
  { isWanted, counts, count }: Wanted<Stored>,
): Promise<Stored[]> {
  const found: Stored[] = [];
  let left = count;
  let bytesLeft = bytesMax;
  for await (const record of records) {
    if (!isWanted(record)) continue;
    found.push(record);
    if (!counts(record)) continue;
    left--;
    bytesLeft -= bytesOf(record);
    if (left === 0 || bytesLeft < 0) break;
  }
  return found;
}
