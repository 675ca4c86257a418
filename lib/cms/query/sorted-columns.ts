import type { ColumnBase } from '#lib/table/cms/entry-columns.ts';
import { derivedByName } from './derived-by-name.ts';
import type { SortField } from './sort.ts';
import { compareKeys, sortKey, sortText } from './sort.ts';

/** The rank of each column value by its code: equal for values that sort equally, 0 for no value. */
interface Ranks {
  readonly byCode: Uint32Array;
  readonly highest: number;
}

const ranksKept = 30;
const ordersKept = 8;
const noRanks: Ranks = { byCode: new Uint32Array(1), highest: 0 };

const ranksOf = derivedByName(
  ({ store }: ColumnBase, _: string, { column, kind }: SortField): Ranks => {
    const values = store.column(column)?.values;
    if (!values) return noRanks;
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
  { bytes: ({ byCode }) => byCode.byteLength, most: ranksKept },
);

/** The order of a base's rows: by the fields, then newest first. */
export const orderOf = derivedByName(
  (base: ColumnBase, _: string, fields: readonly SortField[]): Uint32Array => {
    const count = base.store.keys.length;
    let order = Uint32Array.from({ length: count }, (_row, index) => count - 1 - index);
    // Stable sorts by one field each, from the last field to the first.
    for (const field of fields.toReversed()) order = sortedBy(base, field, order);
    return order;
  },
  { bytes: (order) => order.byteLength, most: ordersKept },
);

/** A counting sort, which compares no rows with each other. */
function sortedBy(base: ColumnBase, field: SortField, order: Uint32Array): Uint32Array<ArrayBuffer> {
  const codes = base.store.column(field.column)?.codes ?? new Uint32Array(order.length);
  const { byCode, highest } = ranksOf(base, `${field.kind} ${field.column}`, field);
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

export const orderName = (fields: readonly SortField[]): string => sortText(fields);
