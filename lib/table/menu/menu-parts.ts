import {
  type CategoryRow,
  categoryTuple,
  type MenuRow,
  type ProductRow,
  productTuple,
} from '#lib/domain/menu/menu-row.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { storeChunks } from '../collection/chunk-rows.ts';
import type { CollectionScope, Directory } from '../collection/head.ts';
import type { Table } from '../table.ts';
import { type MenuBase, type MenuLanguages, positionOf, type StoredMenu } from './menu-index.ts';

export const menuLanguages = ({ defaultLanguage, languages }: Workspace): MenuLanguages => ({
  language: defaultLanguage,
  languages: languages.join(),
});

export const hasLanguages = (head: Partial<MenuLanguages> | undefined, workspace: Workspace): boolean => {
  const { language, languages } = menuLanguages(workspace);
  return head?.language === language && head.languages === languages;
};

/** Stores the rows for the next base, which are in list order. @returns the content of its directory */
export async function storeMenu(
  table: Table,
  scope: CollectionScope,
  { products, categories }: { readonly products: Iterable<ProductRow>; readonly categories: Iterable<CategoryRow> },
  before: Pick<MenuBase, 'stored'> | undefined,
): Promise<Pick<StoredMenu, 'products' | 'categories'>> {
  const store = <Row extends MenuRow>(rows: Iterable<Row>, toTuple: (row: Row) => unknown, chunks?: Directory) => {
    const positioned = Iterator.from(rows).map((row) => ({ position: positionOf(row), row: toTuple(row) }));
    return storeChunks(table, scope, positioned, chunks);
  };
  return {
    products: await store(products, productTuple, before?.stored.products),
    categories: await store(categories, categoryTuple, before?.stored.categories),
  };
}
