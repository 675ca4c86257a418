import type { Scalar } from '#lib/domain/cms/cells.ts';
import type { Field } from '#lib/domain/cms/cms-model.ts';
import { countWhile } from '#lib/domain/count-while.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import { storedInstant } from '#lib/domain/text/utc-time.ts';
import { type Column, type ColumnStore, columnName } from '#lib/table/cms/column-store.ts';
import type { EntryColumns } from '#lib/table/cms/entry-columns.ts';
import { textBytes } from '#lib/table/memory/container-memory.ts';
import { derivedByName } from './derived-by-name.ts';
import { type ComparableValue, textOf, type ValueTest } from './field-reference.ts';
import type { Condition } from './filter.ts';
import { compareKeys, orderOf, type SortField, type SortKey, sortKey, sortText } from './sort.ts';

export interface ListQuery {
  readonly conditions: readonly Condition[];
  /** The folded words of a search. Each must occur in some text of the entry. */
  readonly words: readonly string[];
  readonly searchesIds?: boolean | undefined;
  readonly sort: readonly SortField[];
  readonly languages: readonly string[];
}

/** Position of a row in an order: its sort values and its key. */
export interface Position {
  readonly key: string;
  readonly values: readonly (Scalar | null)[];
}

export class Matches {
  readonly #sort: readonly SortField[];
  readonly #stores: Pick<EntryColumns, 'base' | 'changed'>;
  /** The matching rows by their indices in the base. A row that replaces one of the base, or is new, has `~index`. */
  readonly #rows: Int32Array;

  constructor({ base, replaced, changed }: Omit<EntryColumns, 'isExact'>, query: ListQuery) {
    this.#sort = query.sort;
    this.#stores = { base, changed };
    const ofBase = matchesIn(base, replaced, query);
    const ofChanged = matchesIn(changed, new Set(), query);
    this.#rows = new Int32Array(ofBase.length + ofChanged.length);
    let start = 0;
    for (const [before, index] of ofChanged.entries()) {
      const end = this.#countUpTo(ofBase, this.#positionAt(~index));
      this.#rows.set(ofBase.subarray(start, end), start + before);
      this.#rows[end + before] = ~index;
      start = end;
    }
    this.#rows.set(ofBase.subarray(start), start + ofChanged.length);
  }

  get total(): number {
    return this.#rows.length;
  }

  slice = (from: number, to: number): Position[] =>
    Array.from(this.#rows.subarray(from, to), (row) => this.#positionAt(row));

  /** The number of matches up to a position, inclusive. */
  upTo = (position: Position): number => this.#countUpTo(this.#rows, position);

  #countUpTo(rows: Int32Array, position: Position): number {
    const keys = this.#keysOf(position);
    return countWhile(rows.length, (index) => {
      const at = this.#positionAt(rows[index] ?? 0);
      return this.#compare(this.#keysOf(at), at.key, keys, position.key) <= 0;
    });
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

  #keysOf = ({ values }: Position): SortKey[] => this.#sort.map(({ kind }, index) => sortKey(kind, values[index]));

  #positionAt(row: number): Position {
    const [store, index] = row < 0 ? [this.#stores.changed, ~row] : [this.#stores.base, row];
    const valueAt = (column: Column | undefined) => column?.values[column.codes[index] ?? 0] ?? null;
    return { key: store.keys[index] ?? '', values: this.#sort.map(({ column }) => valueAt(store.column(column))) };
  }
}

function matchesIn(store: ColumnStore, replaced: ReadonlySet<number>, query: ListQuery): Int32Array {
  const { conditions, words, sort } = query;
  const count = store.keys.length;
  const isFound = new Uint8Array(count).fill(1);
  for (const index of replaced) isFound[index] = 0;
  for (const condition of conditions) keepMatching(isFound, store, condition);
  const searched = [...(query.searchesIds ? ['id'] : []), ...searchedColumns(store.fields, query.languages)];
  for (const word of words) {
    // A request may have hundreds of words, and each needs a pass over all rows.
    if (!isFound.includes(1)) break;
    keepMatching(isFound, store, { columns: searched, test: { piece: word }, isNegated: false });
  }
  const order = sort.length > 0 ? orderOf(store, sortText(sort), sort) : undefined;
  const indices = new Int32Array(count);
  let length = 0;
  for (let position = 0; position < count; position++) {
    const index = order ? (order[position] ?? 0) : count - 1 - position;
    if (isFound[index] === 1) indices[length++] = index;
  }
  return indices.subarray(0, length);
}

/** Tests each distinct value once, and then each row by the code of its value. */
function keepMatching(isFound: Uint8Array, base: ColumnStore, { columns, test, isNegated }: Condition): void {
  const passesAny = new Uint8Array(isFound.length);
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
  const values = test.of === 'value' ? column.values : instantsOf(base, name, column);
  const passes = new Uint8Array(values.length);
  for (let code = 1; code < passes.length; code++) passes[code] = Number(test.passes(values[code] as ComparableValue));
  return passes;
}

const instantsOf = derivedByName(
  (_: ColumnStore, { values }: Column) =>
    values.map((value) => (value === undefined ? undefined : storedInstant(String(value)))),
  { bytes: (values) => 48 * values.length, most: 100 },
);

/** Texts are searched in every language (lib/spec/additions.md section 1). */
const searchedColumns = (fields: readonly Field[], languages: readonly string[]): string[] =>
  fields
    .filter(({ type }) => type === 'text' || type === 'longText')
    .flatMap(({ key, localized }) => (localized ? languages.map((language) => columnName(key, language)) : [key]));

/** The folded values of a column in one text. A search reads this memory in order, not string by string. */
interface FoldedColumn {
  readonly text: string;
  /** Start of each value by its code, and the end of the last value. Code 0 has no value. */
  readonly starts: Uint32Array;
}

/** A soft hyphen: folding removes it, so no match goes beyond one value. */
const separator = '\u00ad';

const foldedColumnOf = derivedByName(
  (store: ColumnStore, column: string): FoldedColumn => {
    const values = (store.column(column)?.values ?? []).slice(1) as readonly Scalar[];
    return foldedColumn(values.map((value) => foldText(textOf(value))));
  },
  { bytes: ({ text, starts }) => textBytes(text) + starts.byteLength, most: 100 },
);

/** @param folded the folded values, from code 1 */
export function foldedColumn(folded: readonly string[]): FoldedColumn {
  const starts = new Uint32Array(folded.length + 2);
  for (const [index, { length }] of folded.entries()) {
    starts[index + 2] = (starts[index + 1] ?? 0) + length + separator.length;
  }
  return { text: folded.join(separator), starts };
}

/** @returns 1 at the code of each value that contains the folded piece */
export function codesContaining({ text, starts }: FoldedColumn, piece: string): Uint8Array {
  const codes = new Uint8Array(starts.length - 1);
  for (let code = 1, at = 0; code < codes.length; code++) {
    at = text.indexOf(piece, Math.max(at, starts[code] ?? 0));
    if (at === -1) break;
    while (code + 1 < codes.length && (starts[code + 1] ?? 0) <= at) code++;
    codes[code] = 1;
    at = starts[code + 1] ?? 0;
  }
  return codes;
}
