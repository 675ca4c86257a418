import { createHash } from 'node:crypto';
import { foldText } from '../text/folded-text.ts';
import type { Localized } from '../text/localized.ts';
import type { MenuCategory, MenuProduct } from './menu-records.ts';

/** The part of a record that lists use to search, sort, count and page. */
export interface MenuRow {
  readonly id: string;
  readonly slug: string;
  readonly name: Localized;
  /** The folded names, in the order of the languages of `name`. */
  readonly folded: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly position: number | null;
  /** Identifies the stored version of the record. */
  readonly hash: string;
}

export interface CategoryRow extends MenuRow {}

/** Includes the properties that suggestions and category lists show. */
export interface ProductRow extends MenuRow {
  readonly categoryId: string;
  readonly published: boolean;
  /** The stored value; in an index of menuAt, the value at that time. */
  readonly soldout: boolean;
  readonly soldoutUntil: string | null;
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
  position: category.position,
  hash,
});

export const productRow = (product: MenuProduct, hash: string): ProductRow => ({
  ...categoryRow(product as unknown as MenuCategory, hash),
  categoryId: product.categoryId,
  published: product.published,
  soldout: product.soldout,
  soldoutUntil: product.soldoutUntil,
  priceOptions: product.priceOptions,
});

/** Rows in stored form: arrays without property names. */
export const categoryTuple = (row: CategoryRow) => [...commonTuple(row), row.position] as const;

export const productTuple = (row: ProductRow) =>
  [
    ...commonTuple(row),
    row.categoryId,
    row.published,
    row.soldout,
    row.priceOptions,
    row.position,
    row.soldoutUntil,
  ] as const;

const commonTuple = (row: MenuRow) =>
  [row.id, row.slug, row.name, row.folded, row.createdAt, row.updatedAt, row.hash] as const;

export type CategoryTuple = ReturnType<typeof categoryTuple>;
export type ProductTuple = ReturnType<typeof productTuple>;
export function categoryFromTuple(tuple: CategoryTuple): CategoryRow {
  const [id, slug, name, folded, createdAt, updatedAt, hash, position] = tuple;
  return { id, slug, name, folded, createdAt, updatedAt, position, hash };
}

export function productFromTuple(tuple: ProductTuple): ProductRow {
  const [id, slug, name, folded, createdAt, updatedAt, hash, ...own] = tuple;
  const [categoryId, published, soldout, priceOptions, position, soldoutUntil] = own;
  const common = { id, slug, name, folded, createdAt, updatedAt, position, hash };
  return { ...common, categoryId, published, soldout, soldoutUntil, priceOptions };
}
