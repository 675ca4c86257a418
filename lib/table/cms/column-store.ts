import { type Cell, type CutText, cellOf, type Scalar } from '#lib/domain/cms/cells.ts';
import type { Field } from '#lib/domain/cms/cms-model.ts';
import { countWhile } from '#lib/domain/count-while.ts';
import { textBytes } from '../memory/container-memory.ts';
import type { StoredEntry } from './stored-entry.ts';

/** The row of one entry in the columns of a database: list key, `published`, cells by column, time of the last update. */
export type ColumnRow = readonly [key: string, published: 0 | 1, cells: readonly Cell[], updatedAt: string];

/** @param key the entry's key in the list */
export const columnRow = (entry: StoredEntry, columns: readonly Field[]): ColumnRow => [
  entry.sk,
  entry.published ? 1 : 0,
  columns.map((column) => cellOf(column, entry.values)),
  entry.updatedAt,
];

/** One column: the code of each row's value, and the distinct values by their codes. Code 0 means no value. */
export interface Column {
  readonly codes: Uint32Array;
  readonly values: readonly (Scalar | undefined)[];
}

const stringBytes = 24;

/** The columns of a database in memory: codes and distinct values instead of an object for each entry. */
export class ColumnStore {
  /** Position of each entry in the list, oldest first. */
  readonly keys: readonly string[];
  readonly fields: readonly Field[];
  readonly #columns = new Map<string, Column>();
  readonly bytes: number;

  /** @param listed in any order */
  constructor(listed: readonly ColumnRow[], fields: readonly Field[]) {
    const rows = listed.toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.keys = rows.map(([key]) => key);
    this.fields = fields;
    this.#add('published', rows.length, (index) => rows[index]?.[1] === 1);
    this.#add('updatedAt', rows.length, (index) => rows[index]?.[3]);
    for (const [field, { key, localized }] of fields.entries()) {
      if (!localized) this.#add(key, rows.length, (index) => scalar(rows[index]?.[2][field]));
      for (const language of localized ? languagesOf(rows, field) : []) {
        this.#add(columnName(key, language), rows.length, (index) => inLanguage(rows[index]?.[2][field], language));
      }
    }
    this.bytes = this.keys.reduce((sum, key) => sum + textBytes(key) + stringBytes, 0);
    for (const { codes, values } of this.#columns.values()) {
      this.bytes += codes.byteLength + values.reduce((sum: number, value) => sum + valueBytes(value), 0);
    }
  }

  /** A localized field has a column for each language. `id` and `createdAt` are derived from the keys. */
  column(name: string): Column | undefined {
    const column = this.#columns.get(name);
    if (column || (name !== 'id' && name !== 'createdAt')) return column;
    this.#add(name, this.keys.length, (index) => systemValueOf(this.keys[index] ?? '', name));
    return this.#columns.get(name);
  }

  /** The index of a row. @returns -1 when the entry has none */
  indexOf(key: string): number {
    const at = countWhile(this.keys.length, (index) => (this.keys[index] ?? '') < key);
    return this.keys[at] === key ? at : -1;
  }

  #add(name: string, count: number, valueAt: (index: number) => Scalar | undefined): void {
    const codes = new Uint32Array(count);
    const values: (Scalar | undefined)[] = [undefined];
    const plain = new Map<unknown, number>();
    const compound = new Map<unknown, number>();
    for (let index = 0; index < count; index++) {
      const value = valueAt(index);
      if (value === undefined) continue;
      const [codeOf, address] = typeof value === 'object' ? [compound, JSON.stringify(value)] : [plain, value];
      const code = codeOf.get(address) ?? values.push(value) - 1;
      codeOf.set(address, code);
      codes[index] = code;
    }
    this.#columns.set(name, { codes, values });
  }
}

/** Names a column of a store: a field, or one language of a localized one. */
export const columnName = (key: string, language?: string): string =>
  language === undefined ? key : `${key}.${language}`;

function systemValueOf(key: string, name: 'id' | 'createdAt'): string {
  const end = key.indexOf('#');
  return name === 'id' ? key.slice(end + 1) : key.slice(0, end);
}

const scalar = (cell: Cell | undefined): Scalar | undefined => (cell ?? undefined) as Scalar | undefined;

function inLanguage(cell: Cell | undefined, language: string): string | CutText | undefined {
  const texts = (cell ?? {}) as Readonly<Record<string, string | CutText>>;
  return Object.hasOwn(texts, language) ? texts[language] : undefined;
}

function languagesOf(rows: readonly ColumnRow[], field: number): Set<string> {
  const languages = new Set<string>();
  for (const [, , cells] of rows) for (const language in cells[field] as object | null) languages.add(language);
  return languages;
}

function valueBytes(value: Scalar | undefined): number {
  if (typeof value === 'string') return textBytes(value) + stringBytes;
  return typeof value === 'object' ? textBytes(JSON.stringify(value)) + 4 * stringBytes : 8;
}
