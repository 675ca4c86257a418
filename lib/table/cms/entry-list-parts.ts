import { chunkRows, type PartItem, type StoreParts } from '../collection/chunk-rows.ts';
import type { CollectionScope } from '../collection/head.ts';
import { readLog } from '../log/read-log.ts';
import type { Table } from '../table.ts';
import type { ColumnRow } from './column-store.ts';
import {
  type ColumnScope,
  entryColumns,
  readChangedRow,
  readColumnRows,
  type StoredColumns,
  type StoredParts,
} from './entry-columns.ts';
import type { EntryListBase, StoredList } from './entry-list.ts';
import { publishedCount, type Row, sortKeyOf } from './entry-row.ts';

/**
 * The rows for the next base.
 * @param store stores the parts; without it they are returned
 * @returns the parts that are not stored yet, and the content of the directory
 */
export async function entryListParts(
  scope: CollectionScope,
  rows: readonly Row[],
  before: EntryListBase | undefined,
  store?: StoreParts,
): Promise<{ readonly unstored: readonly PartItem[]; readonly content: Pick<StoredList, 'chunks' | 'published'> }> {
  const positioned = rows.values().map((row) => ({ position: sortKeyOf(row), row }));
  const { directory, unstored } = await chunkRows(scope, positioned, before?.stored.chunks ?? [], store);
  let end = 0;
  const published = directory.map(([, count]) => {
    end += count;
    return publishedCount(rows.slice(end - count, end));
  });
  return { unstored, content: { chunks: directory, published } };
}

export const entryListPartIds = ({ chunks }: Pick<StoredList, 'chunks'>): string[] => chunks.map(([partId]) => partId);

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

/**
 * The parts of a new base that are not stored yet, and its directory.
 * @param store stores the parts; without it they are returned
 */
export async function columnParts(
  scope: ColumnScope,
  rows: Iterable<ColumnRow> | AsyncIterable<ColumnRow>,
  before: StoredColumns | undefined,
  store?: StoreParts,
): Promise<{ readonly unstored: readonly PartItem[]; readonly columns: StoredColumns }> {
  async function* positioned() {
    for await (const row of rows) yield { position: row[0], row };
  }
  const { directory, unstored } = await chunkRows(scope, positioned(), before?.chunks ?? [], store);
  return { unstored, columns: { fields: scope.variant, chunks: directory } };
}

/** The ids of the parts that contain the columns of a list. */
export const columnPartIds = (stored: object): string[] =>
  ((stored as Partial<StoredParts>).columns?.chunks ?? []).map(([partId]) => partId);
