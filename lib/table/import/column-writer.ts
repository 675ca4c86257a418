import type { Model } from '#lib/domain/cms/cms-model.ts';
import { type ColumnRow, columnRow } from '../cms/column-row.ts';
import {
  type ColumnScope,
  columnParts,
  columnScope,
  currentColumnRows,
  isColumnEpochPublished,
  loggedColumnRows,
  readStoredColumns,
  type StoredColumns,
} from '../cms/entry-columns.ts';
import { isPublished, type Row, sortKeyOf } from '../cms/entry-row.ts';
import type { StoredEntry } from '../cms/stored-entry.ts';
import { noteLongLog } from '../collection/compaction.ts';
import { type CollectionHead, headKey } from '../collection/head.ts';
import type { PartItem } from '../collection/parts.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';

/** The columns of the next base; undefined if a compaction must make them from the entries. */
export interface NextColumns {
  readonly fresh: readonly PartItem[];
  readonly content: { readonly columns?: StoredColumns };
}

/** Keeps the columns of one database up to date with an import of its entries. */
export class ColumnWriter {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #written = new Map<string, ColumnRow>();
  #scope: ColumnScope | undefined;

  constructor(table: Table, workspaceId: string) {
    this.#table = table;
    this.#workspaceId = workspaceId;
  }

  /**
   * @param written the entries after the import
   * @param model the database after the import
   */
  entriesWritten(model: Model, written: readonly StoredEntry[]): void {
    const scope = columnScope({ workspaceId: this.#workspaceId }, model);
    this.#scope = scope;
    for (const entry of written) this.#written.set(entry.sk, columnRow(entry, scope.fields));
  }

  /**
   * @param listed the rows of the next list, oldest first, with the new values of `published`
   * @param isWhole true if the base and its log contain every write since the base; false after a stopped import
   * @returns the columns of exactly these entries, unless that requires a read of all of them
   */
  async next(listed: readonly Row[], isWhole: boolean): Promise<NextColumns> {
    const scope = this.#scope;
    if (!scope) return { fresh: [], content: {} };
    const head = (await this.#table.fresh().get(headKey(scope))) as (Item & CollectionHead) | undefined;
    const stored = head && isWhole ? await readStoredColumns(this.#table, scope, head) : undefined;
    const reads = this.#table.fresh();
    const { rows, changed } = stored
      ? await currentColumnRows(reads, scope, stored)
      : await loggedColumnRows(reads, scope);
    // The row of an entry with a log item was made from the entry itself, after this import wrote it.
    for (const [key, row] of this.#written) if (!changed.has(key)) rows.set(key, row);
    const next = listed.map((listedRow): ColumnRow | undefined => {
      const row = rows.get(sortKeyOf(listedRow));
      return row && [row[0], isPublished(listedRow) ? 1 : 0, row[2], row[3]];
    });
    // Otherwise a compaction makes them, after the last update with another schema has ended.
    if (next.includes(undefined) || (head && !isColumnEpochPublished(head))) {
      await noteLongLog(this.#table, scope);
      return { fresh: [], content: {} };
    }
    const { fresh, columns } = await columnParts(scope, next as ColumnRow[], head?.columns, stored);
    if (!columns.times) await noteLongLog(this.#table, scope);
    return { fresh, content: { columns } };
  }
}
