import type { Scalar } from '#lib/domain/cms/cells.ts';
import { isSortable, type ValueKind } from '#lib/domain/cms/columns.ts';
import type { Issue, IssueCode } from '#lib/domain/input.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import { compareInstants, type Instant, storedInstant } from '#lib/domain/text/utc-time.ts';
import { type ColumnStore, columnName } from '#lib/table/cms/column-store.ts';
import { derivedByName } from './derived-by-name.ts';
import { type FieldReferences, hasContent, textOf } from './field-reference.ts';

export interface SortField {
  readonly column: string;
  readonly kind: ValueKind;
  readonly isDescending: boolean;
}

export interface ReadSort {
  readonly fields: readonly SortField[];
  readonly issues: readonly Issue[];
}

const fieldsMax = 3;

/**
 * Reads `sort=-date,name` (lib/spec/additions.md section 1).
 * @param language the language for sorting localized fields
 */
export function readSort(text: string, references: FieldReferences, language: string): ReadSort {
  const names = text.split(',').flatMap((item) => item.trim() || []);
  const issues: Issue[] = [];
  const refuse = (code: IssueCode, message: string) => issues.push({ path: 'sort', code, message: `sort: ${message}` });
  if (names.length > fieldsMax) refuse('max_items', `Must be at most ${fieldsMax} fields.`);
  const fields = new Map<string, SortField>();
  for (const item of names.slice(0, fieldsMax)) {
    const name = item.replace(/^-/, '');
    const field = references.find(name, isSortable);
    if (name === '') refuse('syntax', 'Must have a field after the minus sign.');
    else if (field === 'unknown_field')
      refuse(field, `Must be fields of the database: ${references.names(isSortable)}; there is no ${inShort(name)}.`);
    else if (field === 'not_filterable')
      refuse(field, `Must be fields that a list can be sorted by; ${inShort(name)} is none.`);
    else if (fields.has(name)) refuse('duplicate', `Must not have ${inShort(name)} twice.`);
    else {
      const column = field.localized ? columnName(field.key, language) : field.key;
      fields.set(name, { column, kind: field.kind, isDescending: item.startsWith('-') });
    }
  }
  return { fields: [...fields.values()], issues };
}

/** A name that was sent may be of any length; that of a field is shorter. */
const inShort = (name: string): string => Array.from(name).slice(0, 64).join('');

/** The same for the same order. */
export const sortText = (fields: readonly SortField[]): string =>
  fields.map(({ column, isDescending }) => `${isDescending ? '-' : ''}${column}`).join();

/** A value in the form for sorting; undefined if the entry has none. */
export type SortKey = string | number | Instant | undefined;

export function sortKey(kind: ValueKind, value: Scalar | null | undefined): SortKey {
  if (value === null || value === undefined || !hasContent(value)) return undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value);
  const text = textOf(value);
  if (kind === 'moment') return storedInstant(text);
  return kind === 'text' || kind === 'choice' ? foldText(text) : text;
}

/** Compares ascending. Both keys have a value, of the same kind. */
export function compareKeys(a: SortKey, b: SortKey): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'object' && typeof b === 'object') return compareInstants(a, b);
  return 0;
}

/** The rank of each column value by its code: equal for values that sort equally, 0 for no value. */
const ranksOf = derivedByName(
  (store: ColumnStore, { column, kind }: SortField) => {
    const values = store.column(column)?.values ?? [];
    const keys = values.map((value) => sortKey(kind, value));
    const codes = [...keys.keys()].filter((code) => keys[code] !== undefined);
    codes.sort((a, b) => compareKeys(keys[a], keys[b]));
    const byCode = new Uint32Array(values.length);
    let highest = 0;
    for (const [index, code] of codes.entries()) {
      const before = codes[index - 1];
      if (before === undefined || compareKeys(keys[before], keys[code]) !== 0) highest++;
      byCode[code] = highest;
    }
    return { byCode, highest };
  },
  { bytes: ({ byCode }) => byCode.byteLength, most: 30 },
);

/** The order of a store's rows: by the fields, then newest first. */
export const orderOf = derivedByName(
  (store: ColumnStore, fields: readonly SortField[]): Uint32Array => {
    const count = store.keys.length;
    let order = Uint32Array.from({ length: count }, (_row, index) => count - 1 - index);
    // Stable sorts by one field each, from the last field to the first.
    for (const field of fields.toReversed()) order = sortedBy(store, field, order);
    return order;
  },
  { bytes: (order) => order.byteLength, most: 8 },
);

/** A counting sort, which compares no rows with each other. */
function sortedBy(store: ColumnStore, field: SortField, order: Uint32Array): Uint32Array<ArrayBuffer> {
  const codes = store.column(field.column)?.codes ?? new Uint32Array(order.length);
  const { byCode, highest } = ranksOf(store, `${field.kind} ${field.column}`, field);
  // Rows without a value are last in both directions.
  const ranks = byCode.map((rank) => (rank === 0 ? highest : field.isDescending ? highest - rank : rank - 1));
  const starts = new Uint32Array(highest + 2);
  for (const code of codes) starts[(ranks[code] ?? 0) + 1] = (starts[(ranks[code] ?? 0) + 1] ?? 0) + 1;
  for (let rank = 1; rank < starts.length; rank++) starts[rank] = (starts[rank] ?? 0) + (starts[rank - 1] ?? 0);
  const sorted = new Uint32Array(order.length);
  for (const index of order) {
    const rank = ranks[codes[index] ?? 0] ?? 0;
    const start = starts[rank] ?? 0;
    sorted[start] = index;
    starts[rank] = start + 1;
  }
  return sorted;
}
