import { compareCodePoints } from '#lib/domain/code-points.ts';
import { foldedWords } from '#lib/domain/folded-text.ts';
import { type MenuRow, sortName } from '#lib/domain/menu-row.ts';
import { BoundedCache } from '#lib/table/bounded-cache.ts';
import type { SortKey, SortOrder } from './parameters.ts';

/** Positions in a list of rows, in an order. */
type Order = Uint32Array;

const orders = new WeakMap<readonly MenuRow[], Map<string, Order>>();
const matches = new WeakMap<readonly MenuRow[], BoundedCache<Order>>();
/** How much is remembered of the last filters: their texts and positions, in proportion to the rows of an index. */
const rememberedPerRow = 16;
const rememberedMin = 5_000;

export interface RowQuery<Row extends MenuRow> {
  readonly sortBy: SortKey;
  readonly sortOrder: SortOrder;
  /** The workspace's language, for sorting by name. */
  readonly language: string;
  readonly filter: (row: Row) => boolean;
  /** Tells filters apart: equal texts mean equal filters. */
  readonly filterText: string;
}

/** The rows that pass a filter, in order: what a list pages through. */
export interface RowList<Row> {
  readonly total: number;
  slice(from: number, to: number): Row[];
}

/**
 * Filters and sorts rows. An order is made once for each version of the index, and the last filters are remembered:
 * lists are polled, and what is polled costs no pass over the rows.
 */
export function listRows<Row extends MenuRow>(rows: readonly Row[], query: RowQuery<Row>): RowList<Row> {
  const { sortBy, sortOrder, language, filter, filterText } = query;
  const order = orderBy(rows, sortBy, language);
  const remembered = memoryOf(matches, rows, newMemory);
  const name = `${sortBy} ${language} ${filterText}`;
  const matching = remembered.get(name) ?? order.filter((position) => filter(rows[position] as Row));
  remembered.set(name, matching, name.length + matching.length);
  const total = matching.length;
  const at = (index: number): Row => rows[matching[sortOrder === 'asc' ? index : total - 1 - index] as number] as Row;
  return {
    total,
    slice: (from, to) =>
      Array.from({ length: Math.max(0, Math.min(to, total) - from) }, (_, index) => at(from + index)),
  };
}

const newMemory = ({ length }: readonly MenuRow[]) =>
  new BoundedCache<Order>(Math.max(rememberedMin, rememberedPerRow * length));

function orderBy(rows: readonly MenuRow[], sortBy: SortKey, language: string): Order {
  const known = memoryOf(orders, rows, () => new Map<string, Order>());
  const name = sortBy === 'name' ? `name ${language}` : sortBy;
  const order = known.get(name) ?? sorted(rows, (row) => (sortBy === 'name' ? sortName(row, language) : row[sortBy]));
  known.set(name, order);
  return order;
}

/** Ascending by key, ties by id; descending is the same order read backwards. */
function sorted(rows: readonly MenuRow[], keyOf: (row: MenuRow) => string): Order {
  const keys = rows.map(keyOf);
  const compare = (a: number, b: number): number =>
    compareCodePoints(keys[a] as string, keys[b] as string) ||
    compareCodePoints((rows[a] as MenuRow).id, (rows[b] as MenuRow).id);
  return Uint32Array.from(rows.keys()).sort(compare);
}

function memoryOf<Rows extends object, Memory>(
  memory: WeakMap<Rows, Memory>,
  rows: Rows,
  make: (rows: Rows) => Memory,
): Memory {
  const known = memory.get(rows) ?? make(rows);
  memory.set(rows, known);
  return known;
}

/** The words of a search, each once: thirty thousand of the same would be looked for in every name. */
export const searchedWords = (search: string | undefined): readonly string[] => [...new Set(foldedWords(search ?? ''))];

/**
 * Whether every word occurs in the name in some language, each perhaps in another (lib/spec/decisions.md section 4).
 */
export const hasWords = ({ folded }: MenuRow, words: readonly string[]): boolean =>
  words.every((word) => folded.some((name) => name.includes(word)));
