import type { Model } from '#lib/domain/cms/cms-model.ts';
import { type ColumnRow, columnRow } from '../cms/column-store.ts';
import {
  type ColumnScope,
  columnScope,
  readColumnRows,
  readStoredColumns,
  type StoredColumns,
} from '../cms/entry-columns.ts';
import { loggedColumnRows, storeColumns } from '../cms/entry-list-parts.ts';
import { isPublished, type Row, sortKeyOf } from '../cms/entry-row.ts';
import type { StoredEntry } from '../cms/stored-entry.ts';
import { type CollectionHead, headKey } from '../collection/head.ts';
import { noteLongLog } from '../log/write-log.ts';
import { type Item, Repository, type Table, type WorkspaceScope } from '../table.ts';
import type { FiledRows, RowFile } from './row-file.ts';

/** Keeps the columns of one database up to date with an import of its entries. */
export class ColumnWriter extends Repository {
  /** The rows of entries that the import has written, and of the others when they are needed. */
  readonly #rows: FiledRows<ColumnRow>;
  #scope: ColumnScope | undefined;

  constructor(table: Table, scope: WorkspaceScope, file: RowFile) {
    super(table, scope);
    this.#rows = file.rows();
  }

  /**
   * @param written the entries after the import
   * @param model the database after the import
   */
  entriesWritten(model: Model, written: readonly StoredEntry[]): void {
    const scope = columnScope(this, model);
    this.#scope = scope;
    for (const entry of written) this.#rows.set(entry.sk, columnRow(entry, scope.fields));
  }

  /**
   * Stores the columns of exactly these entries, unless that requires a read of all of them.
   * @param listed the rows of the next list, oldest first, with the new values of `published`
   * @param isWhole true if the base and its log contain every write since the base; false after a stopped import
   * @returns undefined if a compaction must make the columns from the entries
   */
  async next(listed: readonly Row[], isWhole: boolean): Promise<StoredColumns | undefined> {
    const columns = this.#scope && (await this.#columnsOf(this.#scope, listed, isWhole));
    if (!columns) await noteLongLog(this.table, this.workspaceId);
    return columns;
  }

  /** @returns undefined if there is an entry that has not been read */
  async #columnsOf(scope: ColumnScope, listed: readonly Row[], isWhole: boolean): Promise<StoredColumns | undefined> {
    const head = (await this.table.uncached().get(headKey(scope))) as (Item & CollectionHead) | undefined;
    const stored = head && isWhole ? await readStoredColumns(this.table, scope, head) : undefined;
    // The row of an entry with a log item was made from the entry itself, after this import wrote it.
    const logged = await loggedColumnRows(this.table.uncached(), scope);
    const rows = this.#rows;
    for (const chunk of stored?.chunks ?? []) {
      for (const row of await readColumnRows(this.table, scope, [chunk])) if (!rows.has(row[0])) rows.set(row[0], row);
    }
    if (!listed.map(sortKeyOf).every((key) => logged.has(key) || rows.has(key))) return undefined;
    const next = listed.values().map((listedRow): ColumnRow => {
      const key = sortKeyOf(listedRow);
      const [, , ...values] = logged.get(key) ?? (rows.get(key) as ColumnRow);
      return [key, isPublished(listedRow) ? 1 : 0, ...values];
    });
    return storeColumns(this.table, scope, next, stored);
  }
}
