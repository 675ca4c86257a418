import { compareCodePoints } from '#lib/domain/code-points.ts';
import { foldedWords } from '#lib/domain/folded-text.ts';
import { type MenuRow, sortName } from '#lib/domain/menu-row.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import { derived } from '#lib/table/memory/derived.ts';
import type { SortKey, SortOrder } from './parameters.ts';

/** Positions in a list of rows, in an order. */
type Order = Uint32Array;

const orders = containerMemory.view<Order>();
let lists = 0;
/** Names a list of rows: each version of an index has lists of its own. */
const nameOf = derived((_: readonly MenuRow[]) => ++lists);

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
 * Filters and sorts rows. The result is kept for each version of the index: a list that is polled costs no pass over the
 * rows.
 */
export function listRows<Row extends MenuRow>(rows: readonly Row[], query: RowQuery<Row>): RowList<Row> {
  const { sortBy, sortOrder, language, filter, filterText } = query;
  const matching = keptOrder(rows, `${sortBy} ${language} ${filterText}`, () =>
    orderBy(rows, sortBy, language).filter((position) => filter(rows[position] as Row)),
  );
  const total = matching.length;
  const at = (index: number): Row => rows[matching[sortOrder === 'asc' ? index : total - 1 - index] as number] as Row;
  return {
    total,
    slice: (from, to) =>
      Array.from({ length: Math.max(0, Math.min(to, total) - from) }, (_, index) => at(from + index)),
  };
}

const orderBy = (rows: readonly MenuRow[], sortBy: SortKey, language: string): Order =>
  keptOrder(rows, sortBy === 'name' ? `all by name ${language}` : `all by ${sortBy}`, () =>
    sorted(rows, (row) => (sortBy === 'name' ? sortName(row, language) : row[sortBy])),
  );

function keptOrder(rows: readonly MenuRow[], name: string, make: () => Order): Order {
  const address = `${nameOf(rows)} ${name}`;
  const kept = orders.get(address);
  if (kept) return kept;
  const order = make();
  orders.set(address, order, order.byteLength);
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

/** The words of a search, each once: thirty thousand of the same would be looked for in every name. */
export const searchedWords = (search: string | undefined): readonly string[] => [...new Set(foldedWords(search ?? ''))];

/**
 * Whether every word occurs in the name in some language, each perhaps in another (lib/spec/decisions.md section 4).
 */
export const hasWords = ({ folded }: MenuRow, words: readonly string[]): boolean =>
  words.every((word) => folded.some((name) => name.includes(word)));
