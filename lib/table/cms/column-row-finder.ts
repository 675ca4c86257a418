import type { CollectionScope } from '../collection/head.ts';
import { chunkIndexOf, type Directory } from '../collection/parts.ts';
import type { Table } from '../table.ts';
import type { ColumnRow } from './column-row.ts';
import { readColumnRows } from './entry-columns.ts';

/** Finds rows of stored columns, with one chunk in memory. Look them up in the order of their keys. */
export class ColumnRowFinder {
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
