import type { ProductRow } from '#lib/domain/menu/menu-row.ts';
import { nameHasWords, searchedWords } from './sorted-rows.ts';

/** The filters of the product list: AND between them, OR inside a list (lib/spec/decisions.md section 4). */
export interface ProductFilter {
  readonly search?: string | undefined;
  readonly q?: string | undefined;
  readonly categoryId?: string | undefined;
  readonly categorySlug?: string | undefined;
  readonly categorySlugs?: ReadonlySet<string> | undefined;
  readonly published: boolean;
  readonly soldout?: boolean | undefined;
  readonly minPrice?: number | undefined;
  readonly maxPrice?: number | undefined;
  readonly slug?: string | undefined;
  readonly ids?: ReadonlySet<string> | undefined;
}

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

/** The same for the same filters. */
export const productFilterText = (filter: ProductFilter): string =>
  JSON.stringify([
    searchedWords(filter.search ?? filter.q),
    [...(categorySlugs(filter) ?? ['any'])],
    categorySlugs(filter) !== undefined,
    filter.categoryId,
    filter.published,
    filter.soldout,
    filter.minPrice,
    filter.maxPrice,
    filter.slug,
    filter.ids && [...filter.ids],
  ]);

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
