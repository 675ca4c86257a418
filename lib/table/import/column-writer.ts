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
import {
  type CollectionHead,
  type CollectionScope,
  chunkIndexOf,
  type Directory,
  headKey,
} from '../collection/head.ts';
import { noteLongLog } from '../log/write-log.ts';
import { type Item, Repository, type Table, type WorkspaceScope } from '../table.ts';
import type { FiledRows, RowFile } from './row-file.ts';

/** Keeps the columns of one database up to date with an import of its entries. */
export class ColumnWriter extends Repository {
  readonly #written: FiledRows<ColumnRow>;
  #scope: ColumnScope | undefined;

  constructor(table: Table, scope: WorkspaceScope, file: RowFile) {
    super(table, scope);
    this.#written = file.rows();
  }

  /**
   * @param written the entries after the import
   * @param model the database after the import
   */
  entriesWritten(model: Model, written: readonly StoredEntry[]): void {
    const scope = columnScope(this, model);
    this.#scope = scope;
    for (const entry of written) this.#written.set(entry.sk, columnRow(entry, scope.fields));
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
    const isUnread = (key: string) => !logged.has(key) && !this.#written.has(key);
    if (!stored && listed.some((row) => isUnread(sortKeyOf(row)))) return undefined;
    const before = new ColumnRowFinder(this.table, scope, stored?.chunks ?? []);
    let isComplete = true;
    const rows = async function* (this: ColumnWriter): AsyncGenerator<ColumnRow> {
      for (const listedRow of listed) {
        const key = sortKeyOf(listedRow);
        const row = logged.get(key) ?? this.#written.get(key) ?? (await before.find(key));
        if (!row) isComplete = false;
        if (!row) return;
        yield [row[0], isPublished(listedRow) ? 1 : 0, row[2], row[3]];
      }
    };
    const columns = await storeColumns(this.table, scope, rows.call(this), stored);
    return isComplete ? columns : undefined;
  }
}

/** Finds rows of stored columns, with one chunk in memory. Look them up in the order of their keys. */
class ColumnRowFinder {
  readonly #table: Table;
  readonly #scope: CollectionScope;
  readonly #chunks: Directory;
  #partId: string | undefined;
  #rows: ReadonlyMap<string, ColumnRow> = new Map();

  constructor(table: Table, scope: CollectionScope, chunks: Directory) {
    this.#table = table;
    this.#scope = scope;
    this.#chunks = chunks;
  }

  /** @throws StaleRead */
  async find(key: string): Promise<ColumnRow | undefined> {
    const chunk = this.#chunks[chunkIndexOf(this.#chunks, key)];
    if (chunk && chunk[0] !== this.#partId) {
      this.#rows = new Map((await readColumnRows(this.#table, this.#scope, [chunk])).map((row) => [row[0], row]));
      this.#partId = chunk[0];
    }
    return this.#rows.get(key);
  }
}
