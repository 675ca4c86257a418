import { isDeepStrictEqual } from 'node:util';
import type { Scalar } from '#lib/domain/cms/columns.ts';
import { hasWords } from '#lib/domain/text/folded-text.ts';
import { type Column, type ColumnRow, type ColumnStore, columnName, valueOfRow } from '#lib/table/cms/column-store.ts';
import type { EntryColumns } from '#lib/table/cms/entry-columns.ts';
import { idOf } from '#lib/table/cms/entry-row.ts';
import { derivedByName } from './derived-by-name.ts';
import type { Condition } from './filter.ts';
import { type ComparableValue, conversions, passesTest, textOf, type ValueTest } from './filter-value.ts';
import { codesContaining, foldedColumnOf, foldedIdsOf } from './folded-column.ts';
import { compareKeys, orderOf, type SortField, type SortKey, sortKey, sortText } from './sort.ts';

/** The filtered and sorted entries of a list. */
export interface ListQuery {
  readonly conditions: readonly Condition[];
  /** The folded words of a search. Each must occur in some text of the entry. */
  readonly words: readonly string[];
  /** Whether words are also searched in the id of an entry. */
  readonly searchesIds?: boolean | undefined;
  readonly sort: readonly SortField[];
  /** The languages in which texts are searched. */
  readonly languages: readonly string[];
}

/** Position of a row in an order: its sort values and its key. */
export interface Position {
  readonly key: string;
  readonly values: readonly (Scalar | null)[];
}

/** The entries that match a query, in its order. */
export class Matches {
  readonly #columns: EntryColumns;
  readonly #query: ListQuery;
  readonly #sort: readonly SortField[];
  /** Indices of the matching rows of the base, in order. */
  readonly #found: Uint32Array;
  /** Matching rows that replace the base's or are new, each with the number of base rows before it. */
  readonly #changed: readonly { readonly row: ColumnRow; readonly after: number }[];

  constructor(columns: EntryColumns, query: ListQuery) {
    this.#columns = columns;
    this.#query = query;
    this.#sort = query.sort;
    this.#found = foundInBase(columns, query);
    const changed = columns.changed
      .filter((row) => rowMatches(row, columns, query))
      .map((row) => ({ row, keys: this.#keysOf(row) }))
      .sort((a, b) => this.#compare(a.keys, a.row[0], b.keys, b.row[0]));
    this.#changed = changed.map(({ row, keys }) => ({ row, after: this.#countBefore(keys, row[0]) }));
  }

  get total(): number {
    return this.#found.length + this.#changed.length;
  }

  /** The positions of a range of matches. */
  slice(from: number, to: number): Position[] {
    const positions: Position[] = [];
    let next = this.#changed.findIndex(({ after }, index) => after + index >= from);
    if (next === -1) next = this.#changed.length;
    for (let position = from; position < Math.min(to, this.total); position++) {
      const changed = this.#changed[next];
      if (changed && changed.after + next === position) {
        positions.push(this.#positionOf(changed.row));
        next++;
      } else positions.push(this.#positionAt(this.#found[position - next] ?? 0));
    }
    return positions;
  }

  /** Whether an entry that was read after its row still matches, at the same position. */
  isAt(row: ColumnRow, position: Position | undefined): boolean {
    return isDeepStrictEqual(this.#positionOf(row), position) && rowMatches(row, this.#columns, this.#query);
  }

  /** The number of matches up to a position, inclusive. */
  upTo({ key, values }: Position): number {
    const keys = this.#sort.map(({ kind }, index) => sortKey(kind, values[index]));
    const changed = this.#changed.filter(({ row }) => this.#compare(this.#keysOf(row), row[0], keys, key) <= 0);
    return this.#countBefore(keys, key) + changed.length;
  }

  /** The number of matching rows of the base up to a position, inclusive. */
  #countBefore(keys: readonly SortKey[], key: string): number {
    const { base } = this.#columns;
    let low = 0;
    let high = this.#found.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const index = this.#found[middle] ?? 0;
      const sortKeys = this.#sort.map(({ column, kind }) => sortKey(kind, valueAt(base, column, index)));
      if (this.#compare(sortKeys, base.keys[index] ?? '', keys, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(a: readonly SortKey[], aKey: string, b: readonly SortKey[], bKey: string): number {
    for (const [index, { isDescending }] of this.#sort.entries()) {
      const left = a[index];
      const right = b[index];
      if (left === undefined && right === undefined) continue;
      if (left === undefined) return 1;
      if (right === undefined) return -1;
      const order = compareKeys(left, right);
      if (order !== 0) return isDescending ? -order : order;
    }
    return aKey === bKey ? 0 : aKey > bKey ? -1 : 1;
  }

  #keysOf = (row: ColumnRow): SortKey[] =>
    this.#sort.map(({ column, kind }) => sortKey(kind, valueOfRow(row, column, this.#columns.fields)));

  #positionOf = (row: ColumnRow): Position => ({
    key: row[0],
    values: this.#sort.map(({ column }) => valueOfRow(row, column, this.#columns.fields) ?? null),
  });

  #positionAt = (index: number): Position => ({
    key: this.#columns.base.keys[index] ?? '',
    values: this.#sort.map(({ column }) => valueAt(this.#columns.base, column, index) ?? null),
  });
}

function valueAt(store: ColumnStore, name: string, index: number): Scalar | undefined {
  const column = store.column(name);
  return column?.values[column.codes[index] ?? 0];
}

/** Whether a row outside the base matches. */
export function rowMatches(
  row: ColumnRow,
  columns: Pick<EntryColumns, 'fields'>,
  { conditions, words, languages, searchesIds }: ListQuery,
): boolean {
  const value = (name: string) => valueOfRow(row, name, columns.fields);
  const passes = ({ columns: names, test, isNegated }: Condition) =>
    names.some((name) => {
      const found = value(name);
      return found !== undefined && passesTest(found, test);
    }) !== isNegated;
  if (!conditions.every(passes)) return false;
  if (words.length === 0) return true;
  const texts = searchedColumns(columns, languages).flatMap((name) => value(name) ?? []);
  const ids = searchesIds ? [idOf(row[0])] : [];
  return hasWords([...texts.map(textOf), ...ids], words);
}

function foundInBase(columns: EntryColumns, query: ListQuery): Uint32Array {
  const { base, replaced } = columns;
  const { conditions, words, sort } = query;
  const count = base.keys.length;
  const isFound = new Uint8Array(count).fill(1);
  for (const index of replaced) isFound[index] = 0;
  for (const condition of conditions) keepMatching(isFound, base, condition);
  const searched = searchedColumns(columns, query.languages);
  for (const word of words) {
    // A request may have hundreds of words, and each needs a pass over all rows.
    if (!isFound.includes(1)) break;
    const inIds = query.searchesIds ? codesContaining(foldedIdsOf(base, 'id', undefined), word) : undefined;
    keepMatching(isFound, base, { columns: searched, test: { piece: word }, isNegated: false }, inIds);
  }
  const order = sort.length > 0 ? orderOf(base, sortText(sort), sort) : undefined;
  const found = new Uint32Array(count);
  let length = 0;
  for (let position = 0; position < count; position++) {
    const index = order ? (order[position] ?? 0) : count - 1 - position;
    if (isFound[index] === 1) found[length++] = index;
  }
  return found.subarray(0, length);
}

/**
 * Tests each distinct value once, and then each row by the code of its value.
 * @param inIds 1 at the code of each row that passes by its id
 */
function keepMatching(
  isFound: Uint8Array,
  base: ColumnStore,
  { columns, test, isNegated }: Condition,
  inIds?: Uint8Array,
): void {
  const passesAny = inIds ? inIds.slice(1) : new Uint8Array(isFound.length);
  for (const name of columns) {
    const column = base.column(name);
    if (!column) continue;
    const { codes } = column;
    const passes = passingCodes(base, name, column, test);
    for (let index = 0; index < passesAny.length; index++) {
      passesAny[index] = (passesAny[index] ?? 0) | (passes[codes[index] ?? 0] ?? 0);
    }
  }
  const expected = isNegated ? 0 : 1;
  for (let index = 0; index < passesAny.length; index++) if (passesAny[index] !== expected) isFound[index] = 0;
}

/** @returns 1 at the code of each value of a column that passes */
function passingCodes(base: ColumnStore, name: string, column: Column, test: ValueTest): Uint8Array {
  if ('piece' in test) return codesContaining(foldedColumnOf(base, name, name), test.piece);
  const values = test.conversion === 'plain' ? column.values : instantsOf(base, name, column);
  const passes = new Uint8Array(values.length);
  for (let code = 1; code < passes.length; code++) passes[code] = Number(test.passes(values[code] as ComparableValue));
  return passes;
}

/** The times of a column by code. */
const instantsOf = derivedByName(
  (_: ColumnStore, _name: string, { values }: Column) =>
    values.map((value) => (value === undefined ? undefined : conversions.instant(value))),
  { bytes: (values) => 48 * values.length, most: 100 },
);

/** Texts are searched in every language (lib/spec/additions.md section 1). */
const searchedColumns = ({ fields }: Pick<EntryColumns, 'fields'>, languages: readonly string[]): string[] =>
  fields
    .filter(({ type }) => type === 'text' || type === 'longText')
    .flatMap(({ key, localized }) => (localized ? languages.map((language) => columnName(key, language)) : [key]));
