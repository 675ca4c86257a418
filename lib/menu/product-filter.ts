import type { ProductRow } from '#lib/domain/menu/menu-row.ts';
import { canonicalJson } from '#lib/domain/text/json-hash.ts';
import { type ProductFilter, productFilters } from './parameters.ts';
import { nameHasWords, searchedWords } from './sorted-rows.ts';

/** @param categorySlugOf the slug of a product's category */
export function productFilter(
  filter: ProductFilter,
  categorySlugOf: (row: ProductRow) => string | undefined,
): (row: ProductRow) => boolean {
  const words = searchedWords(filter.search ?? filter.q);
  const slugs = categorySlugs(filter);
  return (row) =>
    row.published === filter.published &&
    (filter.soldout === undefined || row.soldout === filter.soldout) &&
    (filter.categoryId === undefined || row.categoryId === filter.categoryId) &&
    (slugs === undefined || slugs.has(categorySlugOf(row) ?? '')) &&
    (filter.slug === undefined || row.slug === filter.slug) &&
    (filter.ids === undefined || filter.ids.has(row.id)) &&
    hasPrice(row, filter) &&
    nameHasWords(row, words);
}

const { search: _, q: __, ...otherFilters } = productFilters;
const otherNames = Object.keys(otherFilters) as (keyof typeof otherFilters)[];

/** The same for the same filters. */
export const productFilterText = (filter: ProductFilter): string =>
  canonicalJson([searchedWords(filter.search ?? filter.q), otherNames.map((name) => filter[name])]);

/** `categorySlug` is added to `categorySlugs`. A list without items is no filter. */
function categorySlugs({ categorySlug, categorySlugs: several }: ProductFilter): ReadonlySet<string> | undefined {
  const slugs = new Set([...(several ?? []), ...(categorySlug === undefined ? [] : [categorySlug])]);
  return slugs.size > 0 ? slugs : undefined;
}

/** Whether one price option is within both bounds, inclusive. */
function hasPrice({ priceOptions }: ProductRow, { minPrice, maxPrice }: ProductFilter): boolean {
  if (minPrice === undefined && maxPrice === undefined) return true;
  return priceOptions.some(({ price }) => price >= (minPrice ?? 0) && price <= (maxPrice ?? Number.POSITIVE_INFINITY));
}
