import { createHash } from 'node:crypto';
import { foldText } from './folded-text.ts';
import type { Localized } from './localized.ts';
import type { MenuCategory } from './menu-category.ts';
import type { MenuProduct } from './menu-product.ts';

/** The part of a record that lists need to search, sort, count and page. */
export interface MenuRow {
  readonly id: string;
  readonly slug: string;
  readonly name: Localized;
  /** The folded names, in the order of the languages of `name`. */
  readonly folded: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Identifies the stored version of the record. */
  readonly hash: string;
}

export interface CategoryRow extends MenuRow {}

/** Includes what suggestions and category lists show of a product. */
export interface ProductRow extends MenuRow {
  readonly categoryId: string;
  readonly published: boolean;
  readonly soldout: boolean;
  readonly priceOptions: MenuProduct['priceOptions'];
}

/** The version of a record: a hash of its stored text. */
export const hashOfRecord = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 16);

export const categoryRow = (category: MenuCategory, hash: string): CategoryRow => ({
  id: category.id,
  slug: category.slug,
  name: category.name,
  folded: Object.values(category.name).map(foldText),
  createdAt: category.createdAt,
  updatedAt: category.updatedAt,
  hash,
});

export const productRow = (product: MenuProduct, hash: string): ProductRow => ({
  ...categoryRow(product as unknown as MenuCategory, hash),
  categoryId: product.categoryId,
  published: product.published,
  soldout: product.soldout,
  priceOptions: product.priceOptions,
});

/** Rows as they are stored: arrays without member names. */
export const categoryTuple = (row: CategoryRow) =>
  [row.id, row.slug, row.name, row.folded, row.createdAt, row.updatedAt, row.hash] as const;

export const productTuple = (row: ProductRow) =>
  [...categoryTuple(row), row.categoryId, row.published, row.soldout, row.priceOptions] as const;

export type CategoryTuple = ReturnType<typeof categoryTuple>;
export type ProductTuple = ReturnType<typeof productTuple>;

export function categoryFromTuple([id, slug, name, folded, createdAt, updatedAt, hash]: CategoryTuple): CategoryRow {
  return { id, slug, name, folded, createdAt, updatedAt, hash };
}

export function productFromTuple(tuple: ProductTuple): ProductRow {
  const [id, slug, name, folded, createdAt, updatedAt, hash, categoryId, published, soldout, priceOptions] = tuple;
  return { id, slug, name, folded, createdAt, updatedAt, hash, categoryId, published, soldout, priceOptions };
}

/**
 * The name a list is sorted by: that of the workspace's language, else the record's first
 * (lib/spec/decisions.md section 4).
 */
export function sortName({ name, folded }: MenuRow, language: string): string {
  const position = Object.keys(name).indexOf(language);
  return folded[Math.max(0, position)] ?? '';
}
