import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { RelationRow } from '#lib/domain/cms/product-relation.ts';
import {
  type CategoryRow,
  categoryTuple,
  type MenuRow,
  type ProductRow,
  productTuple,
} from '#lib/domain/menu/menu-row.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { chunkRows, type PartItem, type StoreParts } from '../collection/chunk-rows.ts';
import type { CollectionScope } from '../collection/head.ts';
import type { Directory } from '../collection/parts.ts';
import { type MenuBase, type MenuLanguages, positionOf, type StoredMenu } from './menu-index.ts';
import {
  type ProductRelations,
  type RelationBase,
  type RelationsOfModel,
  relationScope,
  type StoredRelations,
} from './product-relations.ts';

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

/** The rows of every database, changes included, by entry id. */
export function currentRows({ base: { models }, changed }: ProductRelations): Map<string, Map<string, RelationRow>> {
  const rows = new Map(Object.entries(models).map(([modelId, { rows: own }]) => [modelId, new Map(own)]));
  for (const [address, row] of changed) {
    const [modelId = '', id = ''] = address.split(' ');
    if (row) rows.get(modelId)?.set(id, row);
    else rows.get(modelId)?.delete(id);
  }
  return rows;
}

/** The rows for the next base: the parts that are not stored yet, and the content of the directory. */
export async function relationParts(
  scope: WorkspaceScope,
  models: ReadonlyMap<string, RelationsOfModel>,
  before: RelationBase | undefined,
): Promise<{ readonly unstored: readonly PartItem[]; readonly content: Pick<StoredRelations, 'models'> }> {
  const unstored: PartItem[] = [];
  const content: [string, StoredRelations['models'][string]][] = [];
  for (const [modelId, { fields, rows }] of models) {
    const positioned = [...rows.values()]
      .map((row) => ({ position: `${row.createdAt}#${row.id}`, row }))
      .sort((a, b) => compareCodePoints(a.position, b.position));
    const chunks = await chunkRows(relationScope(scope), positioned, before?.stored.models[modelId]?.chunks ?? []);
    unstored.push(...chunks.unstored);
    content.push([modelId, { fields, chunks: chunks.directory }]);
  }
  return { unstored, content: { models: Object.fromEntries(content) } };
}

/** The parts of a base, without its directory. */
export const relationPartIds = ({ models }: Pick<StoredRelations, 'models'>): string[] =>
  Object.values(models).flatMap(({ chunks }) => chunks.map(([partId]) => partId));
