import type { CategoryRow, MenuRow, ProductRow } from '#lib/domain/menu/menu-row.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { derived } from '#lib/table/memory/derived.ts';
import type { MenuIndex } from '#lib/table/menu/menu-index.ts';
import type { SortOrder } from './parameters.ts';

/** Compares two rows of one index; never 0 for two records. */
export type CompareRows = (a: MenuRow, b: MenuRow) => number;

/**
 * The order of a menu list by position (lib/spec/additions.md section 1): nulls last, ties by `createdAt`, then by id.
 * Products follow the order of their categories. `desc` reverses only positions.
 */
export const positionOrder = (index: MenuIndex, order: SortOrder): CompareRows => orders[order](index);

const orderOf = (sortOrder: SortOrder) =>
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

const orders = { asc: orderOf('asc'), desc: orderOf('desc') };

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
