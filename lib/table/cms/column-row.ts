import type { Field } from '#lib/domain/cms/cms-model.ts';
import { type Cell, cellOf } from '#lib/domain/cms/columns.ts';
import type { StoredEntry } from './stored-entry.ts';

/** The row of one entry in the columns of a database: list key, `published`, cells by column, time of the last update. */
export type ColumnRow = readonly [key: string, published: 0 | 1, cells: readonly Cell[], updatedAt: string];

/** @param key the entry's key in the list */
export const columnRow = (entry: StoredEntry, columns: readonly Field[], key = entry.sk): ColumnRow => [
  key,
  entry.published ? 1 : 0,
  columns.map((column) => cellOf(column, entry.values)),
  entry.updatedAt,
];
