import { randomUUID } from 'node:crypto';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { keys } from './keys.ts';
import type { RecordKind } from './record-kinds.ts';
import { recordOf } from './record-of.ts';
import { keptRecordOf } from './retention.ts';
import type { Item } from './schema.ts';
import type { Table } from './table.ts';

/** The format of ids that begin with their time, so that they sort by it. */
interface TimedIds {
  readonly prefix: string;
  readonly digits: number;
  readonly radix: number;
  readonly pattern: RegExp;
}

const hexadecimal = (prefix: string): TimedIds => ({
  prefix,
  digits: 12,
  radix: 16,
  pattern: new RegExp(`^${prefix}([0-9a-f]{12})[0-9a-f]{20}$`),
});

const timedIds: Readonly<Partial<Record<RecordKind, TimedIds>>> = {
  formResponse: hexadecimal('res_'),
  notification: hexadecimal('not_'),
  attachment: { prefix: 'att_', digits: 9, radix: 36, pattern: /^att_([0-9a-z]{9})[0-9a-f]{24}$/ },
};

/** The kinds whose lists are sorted by the time in their ids. */
export type DatedKind = 'formResponse' | 'notification' | 'attachment';

/** The range of the times in such ids, in milliseconds since 1970. */
const earliest = Date.UTC(2025, 0, 1);
const latest = Date.UTC(2100, 0, 1);

/** A new id: `res_` or `not_`, the milliseconds since 1970 and random digits. */
export const newDatedId = (prefix: 'res_' | 'not_', at: Date): string =>
  `${prefix}${at.getTime().toString(16).padStart(12, '0')}${randomUUID().replaceAll('-', '').slice(12)}`;

/** The smallest id that a record of this time can have, in milliseconds since 1970. */
function leastIdAt(kind: DatedKind, milliseconds: number): string {
  const { prefix, digits, radix } = timedIds[kind] as TimedIds;
  const time = Math.min(Math.max(milliseconds, earliest), latest);
  return `${prefix}${time.toString(radix).padStart(digits, '0')}`;
}

export const isDatedKind = (kind: RecordKind): kind is DatedKind => timedIds[kind] !== undefined;

/** Whether an id sorts among the ids that begin with their time. */
export const sortsByTime = (kind: DatedKind, id: string): boolean =>
  id >= leastIdAt(kind, earliest) && id < leastIdAt(kind, latest);

/** Whether the time in a record's id is its `createdAt`. */
export function hasTimeOfCreation(
  kind: DatedKind,
  { id, createdAt }: { readonly id: string; readonly createdAt?: string },
) {
  const [, time] = timedIds[kind]?.pattern.exec(id) ?? [];
  return (
    time !== undefined &&
    createdAt !== undefined &&
    Number.parseInt(time, timedIds[kind]?.radix) === Date.parse(createdAt)
  );
}

/**
 * Prefix of the pointers to records whose ids sort at another time than theirs. Such ids come from documents. No other
 * name begins with it.
 */
export const misplacedPrefix = 'misplaced#';

/** Bounds in milliseconds since 1970, both inclusive. */
interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The number of items per read; a read ends at 1 MB anyway. */
const perPageMax = 10_000;

/**
 * The records of a kind whose ids begin with their time, newest first. It reads only as far as the caller iterates. So
 * the cost of the first records does not depend on their number. Access pattern W2.
 * @param perPage the number of records per read
 */
export async function* recordsByTime<Stored extends object>(
  table: Table,
  { workspaceId }: WorkspaceScope,
  kind: DatedKind,
  { from, to }: TimeRange,
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
    Array.fromAsync(table.query({ pk, to: bounds.before, perPage: perPageMax })),
    Array.fromAsync(table.query({ pk, from: bounds.after, perPage: perPageMax })),
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
