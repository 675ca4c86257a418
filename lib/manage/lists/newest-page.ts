import { hasWords } from '#lib/domain/text/folded-text.ts';
import { pageOf } from '#lib/http/page.ts';
import { type DatedKind, hasTimeOfCreation, recordsByTime, recordsWithoutTime } from '#lib/table/dated-ids.ts';
import type { ListQuery, ListRequest, ReadPage } from './list-query.ts';
import { type Dated, newestFirst, type TimePosition } from './newest-first.ts';

export interface NewestPage<Stored extends Dated> {
  readonly isWanted?: (record: Stored, kindParameters: ListQuery['kindParameters']) => boolean;
  /** The bounds of record times: `since` inclusive, `until` exclusive. */
  readonly timesOf?: (kindParameters: ListQuery['kindParameters']) => {
    readonly since: string | undefined;
    readonly until: string | undefined;
  };
  /** The texts that `q` searches. */
  readonly texts: (record: Stored) => readonly string[];
  /** The records of a page as they are shown. */
  readonly show?: (request: ListRequest, records: readonly Stored[]) => Promise<readonly object[]>;
}

/** The number of records per read, if the list leaves some out. */
const searchedPerRead = 500;
const always = { since: undefined, until: undefined };

/**
 * Newest first, ties by id. Ids of the service begin with their time, so only the records of the page, and skipped
 * ones, are read. Ids from a document have no time, so all such records are read.
 */
export const newestPage =
  <Stored extends Dated>(kind: DatedKind, rules: NewestPage<Stored>): ReadPage =>
  async (request, query) => {
    const { rows, next } = await pageOf<Stored, TimePosition>(query, {
      order: newestFirst,
      after: (position, count) => recordsAfter(kind, rules, { request, query, position, count }),
    });
    return { records: rules.show ? await rules.show(request, rows) : rows, next };
  };

interface Range {
  readonly request: ListRequest;
  readonly query: ListQuery;
  readonly position: TimePosition | undefined;
  readonly count: number;
}

/** The first matching records after a position, at least `count` if there are as many. */
async function recordsAfter<Stored extends Dated>(
  kind: DatedKind,
  { isWanted = () => true, timesOf = () => always, texts }: NewestPage<Stored>,
  { request: { table, principal }, query: { words, kindParameters }, position, count }: Range,
): Promise<Stored[]> {
  const { since, until } = timesOf(kindParameters);
  const isFollowing = (record: Stored) =>
    (!position || newestFirst.compare(newestFirst.of(record), position) > 0) &&
    (since === undefined || record.createdAt >= since) &&
    (until === undefined || record.createdAt < until) &&
    isWanted(record, kindParameters) &&
    hasWords(texts(record), words);
  const isSearch = words.length > 0 || Object.values(kindParameters).some((value) => value !== undefined);
  const range = {
    from: Date.parse(since ?? beginning),
    to: Math.min(Date.parse(until ?? end), Date.parse(position?.[0] ?? end)),
  };
  const [others, timed] = await Promise.all([
    recordsWithoutTime<Stored>(table, principal, kind),
    firstOf(recordsByTime<Stored>(table, principal, kind, range, isSearch ? searchedPerRead : count + 1), {
      isWanted: isFollowing,
      counts: (record) => hasTimeOfCreation(kind, record),
      count,
    }),
  ]);
  const unique = new Map([...others.filter(isFollowing), ...timed].map((record) => [record.id, record]));
  return [...unique.values()].sort((a, b) => newestFirst.compare(newestFirst.of(a), newestFirst.of(b)));
}

const beginning = '1970-01-01T00:00:00.000Z';
const end = '9999-12-31T23:59:59.999Z';

interface Wanted<Stored> {
  readonly isWanted: (record: Stored) => boolean;
  /** Whether `count` includes a matching record; others are counted separately. */
  readonly counts: (record: Stored) => boolean;
  readonly count: number;
}

async function firstOf<Stored>(
  records: AsyncIterable<Stored>,
  { isWanted, counts, count }: Wanted<Stored>,
): Promise<Stored[]> {
  const found: Stored[] = [];
  let left = count;
  for await (const record of records) {
    if (!isWanted(record)) continue;
    found.push(record);
    if (counts(record)) left--;
    if (left === 0) break;
  }
  return found;
}
