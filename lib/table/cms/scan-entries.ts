import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Field } from '#lib/domain/cms/cms-model.ts';
import { StaleRead } from '../collection/stale-read.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { type ColumnRow, columnRow } from './column-store.ts';
import { entriesVersion, readEntryList } from './entry-list.ts';
import { sortKeyOf } from './entry-row.ts';
import type { StoredEntry } from './stored-entry.ts';

const entriesPerRange = 250;
const rangesPerBatch = 8;
/** Members of a row beside its cells. */
const rowAttributes = ['sk', 'id', 'published', 'updatedAt'];

/**
 * Reads the columns of a database from all its entries, oldest first. It is only for databases without valid stored
 * columns. The request's cache does not keep these reads. Access patterns X1, C2.
 * @throws StaleRead if an entry of the list no longer exists
 */
export async function scanColumns(
  table: Table,
  { workspaceId }: WorkspaceScope,
  modelId: string,
  columns: readonly Field[],
): Promise<ColumnRow[]> {
  const list = await readEntryList(table, { workspaceId }, modelId);
  const sortKeys = (await list.rows()).map(sortKeyOf);
  const rows: ColumnRow[] = [];
  const step = entriesPerRange * rangesPerBatch;
  for (let start = 0; start < sortKeys.length; start += step) {
    const ranges = Array.from({ length: rangesPerBatch }, (_, index) => {
      const from = start + index * entriesPerRange;
      return readRows(table, workspaceId, modelId, columns, sortKeys.slice(from, from + entriesPerRange));
    });
    for (const some of await Promise.all(ranges)) rows.push(...some);
  }
  return rows;
}

async function readRows(
  table: Table,
  workspaceId: string,
  modelId: string,
  columns: readonly Field[],
  sortKeys: readonly string[],
): Promise<ColumnRow[]> {
  const from = sortKeys[0];
  const to = sortKeys.at(-1);
  if (from === undefined || to === undefined) return [];
  const found = new Map<string, ColumnRow>();
  const listed = new Set(sortKeys);
  // Most of an entry is text that no column needs, and reading it would take most of the time.
  const only = [...rowAttributes, ...columns.map(({ key }) => `values.${key}`)];
  for await (const item of table.query({ pk: keys.cmsEntries(workspaceId, modelId), from, to, only })) {
    if (!listed.has(item.sk)) continue;
    found.set(item.sk, columnRow({ ...item, values: item['values'] ?? {} } as StoredEntry, columns));
  }
  return sortKeys.map((sortKey) => {
    const row = found.get(sortKey);
    if (!row) throw new StaleRead();
    return row;
  });
}

/**
 * The number of entries of several databases, and a text that changes with each of them; undefined while an import
 * writes.
 */
export async function indexVersions(table: Table, workspace: WorkspaceScope, modelIds: readonly string[]) {
  const versions = await Promise.all(modelIds.map((modelId) => entriesVersion(table, workspace, modelId)));
  const lists = await Promise.all(modelIds.map((modelId) => readEntryList(table, workspace, modelId)));
  return {
    versions: versions.includes(undefined) ? undefined : versions.join(),
    totals: lists.map(({ total }) => total),
  };
}

/**
 * The entries of a database, newest first, one page in memory at a time. It leaves out entries of an unfinished import.
 * The request's cache does not keep them. Access patterns X1, C2.
 * @throws StaleRead
 */
export async function* indexedEntries(
  table: Table,
  { workspaceId }: WorkspaceScope,
  modelId: string,
  most: number,
): AsyncGenerator<StoredEntry> {
  const list = await readEntryList(table, { workspaceId }, modelId);
  const rows = (await list.rows(Math.max(0, list.total - most))).map(sortKeyOf);
  if (rows.length === 0) return;
  const remaining = new Set(rows);
  const range = {
    pk: keys.cmsEntries(workspaceId, modelId),
    from: rows[0] ?? '',
    to: rows.at(-1) ?? '',
    descending: true,
  };
  for await (const item of table.query(range)) {
    if (remaining.delete(item.sk)) yield item as StoredEntry;
  }
  if (remaining.size > 0) throw new StaleRead();
}
