import {
  type CategoryRow,
  categoryTuple,
  type MenuRow,
  type ProductRow,
  productTuple,
} from '#lib/domain/menu/menu-row.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { chunkRows, type PartItem, type StoreParts } from '../collection/chunk-rows.ts';
import type { CollectionScope, Directory } from '../collection/head.ts';
import { type MenuBase, type MenuLanguages, positionOf, type StoredMenu } from './menu-index.ts';

export const menuLanguages = ({ defaultLanguage, languages }: Workspace): MenuLanguages => ({
  language: defaultLanguage,
  languages: languages.join(),
});

export const hasLanguages = (head: Partial<MenuLanguages> | undefined, workspace: Workspace): boolean => {
  const { language, languages } = menuLanguages(workspace);
  return head?.language === language && head.languages === languages;
};

/** The rows of a menu in list order. */
interface OrderedRows {
  readonly products: Iterable<ProductRow>;
  readonly categories: Iterable<CategoryRow>;
}

/**
 * The rows for the next base.
 * @param store stores the parts; without it they are returned
 * @returns the parts that are not stored yet, and the content of the directory
 */
export async function menuParts(
  scope: CollectionScope,
  { products, categories }: OrderedRows,
  before: Pick<MenuBase, 'stored'> | undefined,
  store?: StoreParts,
): Promise<{ readonly unstored: readonly PartItem[]; readonly content: Pick<StoredMenu, 'products' | 'categories'> }> {
  const cut = <Row extends MenuRow>(rows: Iterable<Row>, toTuple: (row: Row) => unknown, chunks: Directory = []) => {
    const positioned = Iterator.from(rows).map((row) => ({ position: positionOf(row), row: toTuple(row) }));
    return chunkRows(scope, positioned, chunks, store);
  };
  const ofProducts = await cut(products, productTuple, before?.stored.products);
  const ofCategories = await cut(categories, categoryTuple, before?.stored.categories);
  return {
    unstored: [...ofProducts.unstored, ...ofCategories.unstored],
    content: { products: ofProducts.directory, categories: ofCategories.directory },
  };
}

/** The parts of a stored menu, without its directory. */
export const menuPartIds = ({ products, categories }: Pick<StoredMenu, 'products' | 'categories'>): string[] =>
  [...products, ...categories].map(([partId]) => partId);
