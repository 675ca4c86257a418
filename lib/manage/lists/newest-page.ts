import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { hasWords } from '#lib/domain/text/folded-text.ts';
import { type DatedKind, hasTimeOfCreation, recordsByTime, recordsWithoutTime } from '#lib/table/dated-ids.ts';
import type { ListQuery, ListRequest, ReadPage } from './list-query.ts';

interface Dated {
  readonly id: string;
  readonly createdAt: string;
}

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
  <Stored extends Dated>(
    kind: DatedKind,
    { isWanted = () => true, timesOf = () => always, texts, show }: NewestPage<Stored>,
  ): ReadPage =>
  async (request, { limit, after, words, kindParameters }) => {
    const { table, principal } = request;
    const from = after === undefined ? undefined : dated(after as readonly [string, string]);
    const { since, until } = timesOf(kindParameters);
    const isFollowing = (record: Stored) =>
      (!from || compare(record, from) > 0) &&
      (since === undefined || record.createdAt >= since) &&
      (until === undefined || record.createdAt < until) &&
      isWanted(record, kindParameters) &&
      hasWords(texts(record), words);
    const isSearch = words.length > 0 || Object.values(kindParameters).some((value) => value !== undefined);
    const range = {
      from: Date.parse(since ?? beginning),
      to: Math.min(Date.parse(until ?? end), Date.parse(from?.createdAt ?? end)),
    };
    const [others, timed] = await Promise.all([
      recordsWithoutTime<Stored>(table, principal, kind),
      firstOf(recordsByTime<Stored>(table, principal, kind, range, isSearch ? searchedPerRead : limit + 2), {
        isWanted: isFollowing,
        counts: (record) => hasTimeOfCreation(kind, record),
        count: limit + 1,
      }),
    ]);
    const unique = new Map([...others.filter(isFollowing), ...timed].map((record) => [record.id, record]));
    const following = [...unique.values()].sort(compare);
    const page = following.slice(0, limit);
    const last = page.at(-1);
    const records = show ? await show(request, page) : page;
    return { records, next: last && following.length > limit ? [last.createdAt, last.id] : undefined };
  };

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

const dated = ([createdAt, id]: readonly [string, string]): Dated => ({ createdAt, id });

const compare = (a: Dated, b: Dated): number =>
  compareCodePoints(b.createdAt, a.createdAt) || compareCodePoints(b.id, a.id);
