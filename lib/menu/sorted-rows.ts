import { derived } from '#lib/domain/derived.ts';
import type { CategoryRow, MenuRow, ProductRow } from '#lib/domain/menu/menu-row.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { foldedWords, hasFoldedWords } from '#lib/domain/text/folded-text.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import type { MenuIndex } from '#lib/table/menu/menu-index.ts';
import type { SortKey, SortOrder } from './parameters.ts';

/** Positions of rows, in the order of a list. */
type Order = Uint32Array;

const orders = containerMemory.view<Order>();
let lists = 0;
/** A number for a list of rows: each version of an index has its own lists. */
const nameOf = derived((_: readonly MenuRow[]) => ++lists);

export interface RowQuery<Row extends MenuRow> {
  readonly sortBy: SortKey;
  readonly sortOrder: SortOrder;
  /** The index of the rows. Its language is used to sort names, and its categories to sort products by position. */
  readonly index: MenuIndex;
  readonly filter: (row: Row) => boolean;
  /** A key for caches: equal strings mean equal filters. */
  readonly filterText: string;
}

/** The rows that match a filter, in list order. */
export interface RowList<Row> {
  readonly total: number;
  slice(from: number, to: number): Row[];
}

/**
 * Filters and sorts rows. The result is cached for each version of the index, so a polled list takes no pass over the
 * rows.
 */
export function listRows<Row extends MenuRow>(rows: readonly Row[], query: RowQuery<Row>): RowList<Row> {
  const { filter, filterText } = query;
  const { name, isReversed, make } = orderFor(rows, query);
  const matching = keptOrder(rows, `${name} ${filterText}`, () =>
    keptOrder(rows, `all by ${name}`, make).filter((position) => filter(rows[position] as Row)),
  );
  const total = matching.length;
  const at = (index: number): Row => rows[matching[isReversed ? total - 1 - index : index] as number] as Row;
  return {
    total,
    slice: (from, to) =>
      Array.from({ length: Math.max(0, Math.min(to, total) - from) }, (_, index) => at(from + index)),
  };
}

type Sorting = Pick<RowQuery<MenuRow>, 'sortBy' | 'sortOrder' | 'index'>;

/** The order of rows. Descending is the reverse of ascending, except by position. */
function orderFor(rows: readonly MenuRow[], { sortBy, sortOrder, index }: Sorting) {
  if (sortBy === 'position') {
    const compare = positionOrders[sortOrder](index);
    return { name: `position ${sortOrder}`, isReversed: false, make: () => inOrder(rows, compare) };
  }
  const { language } = index;
  return {
    name: sortBy === 'name' ? `name ${language}` : sortBy,
    isReversed: sortOrder === 'desc',
    make: () => sorted(rows, (row) => (sortBy === 'name' ? sortName(row, language) : row[sortBy])),
  };
}

function keptOrder(rows: readonly MenuRow[], name: string, make: () => Order): Order {
  const address = `${nameOf(rows)} ${name}`;
  const cached = orders.get(address);
  if (cached) return cached;
  const order = make();
  orders.set(address, order, order.byteLength);
  return order;
}

/** Ascending by key, ties by id. Descending is the reverse. */
function sorted(rows: readonly MenuRow[], keyOf: (row: MenuRow) => string): Order {
  const keys = rows.map(keyOf);
  const compare = (a: number, b: number): number =>
    compareCodePoints(keys[a] as string, keys[b] as string) ||
    compareCodePoints((rows[a] as MenuRow).id, (rows[b] as MenuRow).id);
  return Uint32Array.from(rows.keys()).sort(compare);
}

const inOrder = (rows: readonly MenuRow[], compare: CompareRows): Order =>
  Uint32Array.from(rows.keys()).sort((a, b) => compare(rows[a] as MenuRow, rows[b] as MenuRow));

/** The distinct words of a search. Without this, a word repeated 30,000 times would be searched for 30,000 times. */
export const searchedWords = (search: string | undefined): readonly string[] => [...new Set(foldedWords(search ?? ''))];

/** Whether the name contains every word, each possibly in another language (lib/spec/decisions.md section 4). */
export const nameHasWords = ({ folded }: MenuRow, words: readonly string[]): boolean => hasFoldedWords(folded, words);

/** Compares two rows of one index; never 0 for two records. */
type CompareRows = (a: MenuRow, b: MenuRow) => number;

/**
 * The order of a menu list by position (lib/spec/additions.md section 1): nulls last, ties by `createdAt`, then by id.
 * Products follow the order of their categories. `desc` reverses only positions.
 */
const positionOrderOf = (sortOrder: SortOrder) =>
  derived(({ categories }: MenuIndex): CompareRows => {
    const byPosition = comparePositions(sortOrder);
    const ranks = new Map(categories.toSorted(byPosition).map(({ id }, rank) => [id, rank]));
    // Categories all have the same rank.
    const rankOf = (row: MenuRow): number => {
      const { categoryId } = row as CategoryRow | ProductRow as Partial<ProductRow>;
      return categoryId === undefined ? 0 : (ranks.get(categoryId) ?? ranks.size);
    };
    return (a, b) => rankOf(a) - rankOf(b) || byPosition(a, b);
  });

const positionOrders = { asc: positionOrderOf('asc'), desc: positionOrderOf('desc') };

const comparePositions =
  (order: SortOrder): CompareRows =>
  (a, b) =>
    compareNumbers(a.position, b.position, order) ||
    compareCodePoints(a.createdAt, b.createdAt) ||
    compareCodePoints(a.id, b.id);

function compareNumbers(a: number | null, b: number | null, order: SortOrder): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  // Compares without subtraction, because the difference of two numbers may overflow.
  const ascending = Number(a > b) - Number(a < b);
  return order === 'asc' ? ascending : -ascending;
}

/**
 * The name for sorting: in the workspace's language, otherwise the record's first name (lib/spec/decisions.md section
 * 4).
 */
function sortName({ name, folded }: MenuRow, language: string): string {
  const position = Object.keys(name).indexOf(language);
  return folded[Math.max(0, position)] ?? '';
}
