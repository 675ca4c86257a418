import type { CategoryRow, ProductRow } from '#lib/domain/menu-row.ts';
import { derived } from '#lib/table/memory/derived.ts';
import type { MenuIndex } from '#lib/table/menu-index.ts';
import { listRows } from './sorted-rows.ts';

/** What is looked up in one version of the menu, made when it is first asked for. */
export interface MenuLookups {
  readonly products: ReadonlyMap<string, ProductRow>;
  readonly categories: ReadonlyMap<string, CategoryRow>;
  /** The published products of each category, in the product list's default order. */
  readonly published: ReadonlyMap<string, readonly ProductRow[]>;
}

export const lookupsOf = derived(({ products, categories, language }: MenuIndex): MenuLookups => {
  const inDefaultOrder = listRows(products, {
    sortBy: 'createdAt',
    sortOrder: 'desc',
    language,
    filter: ({ published }) => published,
    filterText: 'published',
  });
  return {
    products: new Map(products.map((row) => [row.id, row])),
    categories: new Map(categories.map((row) => [row.id, row])),
    published: Map.groupBy(inDefaultOrder.slice(0, inDefaultOrder.total), ({ categoryId }) => categoryId),
  };
});
