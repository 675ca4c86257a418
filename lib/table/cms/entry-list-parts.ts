import { storeChunks } from '../collection/chunk-rows.ts';
import type { CollectionScope } from '../collection/head.ts';
import { readLog } from '../log/read-log.ts';
import type { Table } from '../table.ts';
import type { ColumnRow } from './column-store.ts';
import { type ColumnScope, entryColumns, readChangedRow, readColumnRows, type StoredColumns } from './entry-columns.ts';
import type { EntryListBase, StoredList } from './entry-list.ts';
import { publishedCount, type Row, sortKeyOf } from './entry-row.ts';

/** Stores the rows for the next base. @returns the content of its directory */
export async function storeEntryList(
  table: Table,
  scope: CollectionScope,
  rows: readonly Row[],
  before: EntryListBase,
): Promise<Pick<StoredList, 'chunks' | 'published'>> {
  const positioned = rows.values().map((row) => ({ position: sortKeyOf(row), row }));
  const chunks = await storeChunks(table, scope, positioned, before.stored.chunks);
  let end = 0;
  const published = chunks.map(([, count]) => {
    end += count;
    return publishedCount(rows.slice(end - count, end));
  });
  return { chunks, published };
}

/** The current rows of stored columns, for the writer of the next base. @throws StaleRead */
export async function currentColumnRows(table: Table, scope: ColumnScope, stored: StoredColumns) {
  const { changed } = await entryColumns.read(table, scope);
  const rows = new Map((await readColumnRows(table, scope, stored.chunks)).map((row) => [row[0], row]));
  for (const [key, row] of changed) {
    if (row) rows.set(key, row);
    else rows.delete(key);
  }
  return { rows, changed };
}

/** The current rows of the entries in the log, by key, for an import. */
export async function loggedColumnRows(table: Table, scope: ColumnScope): Promise<ReadonlyMap<string, ColumnRow>> {
  const { changes } = await readLog(table, scope);
  const own = changes.filter(({ kind, modelId }) => kind === 'cmsEntry' && modelId === scope.modelId);
  const rows = await Promise.all(own.map((change) => readChangedRow(table, scope, change)));
  return new Map(rows.flatMap(({ row }) => (row ? [[row[0], row] as const] : [])));
}

/** Stores the columns for the next base. @param rows oldest first */
export async function storeColumns(
  table: Table,
  scope: ColumnScope,
  rows: Iterable<ColumnRow>,
  before: StoredColumns | undefined,
): Promise<StoredColumns> {
  const positioned = Iterator.from(rows).map((row) => ({ position: row[0], row }));
  return { fields: scope.variant, chunks: await storeChunks(table, scope, positioned, before?.chunks) };
}
