import { derived } from '#lib/domain/derived.ts';
import type { CategoryRow, ProductRow } from '#lib/domain/menu/menu-row.ts';
import type { MenuIndex } from '#lib/table/menu/menu-index.ts';
import { listRows, type RowQuery } from './sorted-rows.ts';

/** Look-up tables for one version of the menu, made when they are first used. */
export interface MenuLookups {
  readonly products: ReadonlyMap<string, ProductRow>;
  readonly categories: ReadonlyMap<string, CategoryRow>;
  /** The published products of each category, in the product list's default order. */
  readonly published: ReadonlyMap<string, readonly ProductRow[]>;
}

export const lookupsOf = derived(
  (index: MenuIndex): MenuLookups => ({
    products: new Map(index.products.map((row) => [row.id, row])),
    categories: new Map(index.categories.map((row) => [row.id, row])),
    published: publishedIn(index, { sortBy: 'createdAt', sortOrder: 'desc' }),
  }),
);

const byPosition = {
  asc: derived((index: MenuIndex) => publishedIn(index, { sortBy: 'position', sortOrder: 'asc' })),
  desc: derived((index: MenuIndex) => publishedIn(index, { sortBy: 'position', sortOrder: 'desc' })),
};

/** The published products of each category, in the order of the category list. */
export const listedProducts = (
  index: MenuIndex,
  { sortBy, sortOrder }: Pick<RowQuery<ProductRow>, 'sortBy' | 'sortOrder'>,
): MenuLookups['published'] => (sortBy === 'position' ? byPosition[sortOrder](index) : lookupsOf(index).published);

function publishedIn(index: MenuIndex, sorting: Pick<RowQuery<ProductRow>, 'sortBy' | 'sortOrder'>) {
  const list = listRows(index.products, {
    ...sorting,
    index,
    filter: ({ published }) => published,
    filterText: 'published',
  });
  return Map.groupBy(list.slice(0, list.total), ({ categoryId }) => categoryId);
}
