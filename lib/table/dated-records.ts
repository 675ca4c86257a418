import { type DatedKind, earliest, leastIdAt, misplacedPrefix, sortsByTime } from './dated-ids.ts';
import { keys } from './keys.ts';
import { keptRecordOf } from './retention.ts';
import { type Item, recordOf, type Table, type WorkspaceScope } from './table.ts';

/** The number of items per read; a read ends at 1 MB anyway. */
const perPageMax = 10_000;

/**
 * The records of a kind whose ids begin with their time, newest first. It reads only as far as the caller iterates. So
 * the cost of the first records does not depend on their number. Access pattern W2.
 * @param from in milliseconds since 1970, as `to`; both are inclusive
 * @param perPage the number of records per read
 */
export async function* recordsByTime<Stored extends object>(
  table: Table,
  { workspaceId }: WorkspaceScope,
  kind: DatedKind,
  { from, to }: { readonly from: number; readonly to: number },
  perPage: number,
): AsyncGenerator<Stored> {
  const range = { from: leastIdAt(kind, from), to: `${leastIdAt(kind, to)}~` };
  if (range.from > range.to) return;
  const pk = keys.records(workspaceId, kind);
  for await (const item of table.query({ pk, ...range, descending: true, perPage })) {
    const record = sortsByTime(kind, item.sk) ? keptRecordOf<Stored>(kind, item) : undefined;
    if (record) yield record;
  }
}

/**
 * All other records of a kind, in no order. Their ids come from a document and do not contain their time. Pointers,
 * which imports write (W3), find those that sort among timed ids.
 */
export async function recordsWithoutTime<Stored extends object>(
  table: Table,
  scope: WorkspaceScope,
  kind: DatedKind,
): Promise<Stored[]> {
  const items = await itemsWithoutTime(table, scope, kind);
  return items.flatMap((item) => keptRecordOf<Stored>(kind, item) ?? []);
}

async function itemsWithoutTime(table: Table, { workspaceId }: WorkspaceScope, kind: DatedKind): Promise<Item[]> {
  const pk = keys.records(workspaceId, kind);
  const bounds = { before: leastIdAt(kind, 0), after: leastIdAt(kind, Number.MAX_SAFE_INTEGER) };
  const [before, after, misplaced] = await Promise.all([
    table.all({ pk, to: bounds.before, perPage: perPageMax }),
    table.all({ pk, from: bounds.after, perPage: perPageMax }),
    Array.fromAsync(
      table.query({ pk: keys.slugs(workspaceId, kind), from: misplacedPrefix, to: `${misplacedPrefix}~` }),
    ),
  ]);
  const found = await Promise.all(misplaced.map(({ id }) => table.get(keys.record(workspaceId, kind, String(id)))));
  const others = [...before, ...after].filter(({ sk }) => !sortsByTime(kind, sk));
  return [...others, ...found.filter((item) => item !== undefined)];
}

/**
 * The items of records of a kind that were created before a time, also those that readers no longer see, in no order. Of
 * ids that begin with their time it reads only the older ones.
 */
export async function* itemsBefore(
  table: Table,
  scope: WorkspaceScope,
  kind: DatedKind,
  before: string,
): AsyncGenerator<Item> {
  const isOlder = (item: Item) => recordOf<{ readonly createdAt: string }>(item).createdAt < before;
  const range = { from: leastIdAt(kind, earliest), to: `${leastIdAt(kind, Date.parse(before))}~` };
  for await (const item of table.query({ pk: keys.records(scope.workspaceId, kind), ...range })) {
    if (isOlder(item)) yield item;
  }
  yield* (await itemsWithoutTime(table, scope, kind)).filter(isOlder);
}
