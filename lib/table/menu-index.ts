import {
  type CategoryRow,
  type CategoryTuple,
  categoryFromTuple,
  type ProductRow,
  type ProductTuple,
  productFromTuple,
} from '#lib/domain/menu-row.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { BoundedCache } from './bounded-cache.ts';
import { type Directory, type IndexHead, type IndexScope, loadPart, readHead } from './collection-index.ts';
import { menuCollection } from './keys.ts';
import type { Table } from './table.ts';

/** What menu lists are made of: every product and category of a workspace in one version (X1). */
export interface MenuIndex {
  readonly version: string;
  /** The workspace's default language. */
  readonly language: string;
  readonly products: readonly ProductRow[];
  readonly categories: readonly CategoryRow[];
}

export interface MenuHead extends IndexHead {
  readonly language: string;
}

export interface MenuDirectory {
  readonly products: Directory;
  readonly categories: Directory;
}

interface LoadedIndex extends MenuIndex {
  /** The rows of every chunk, for the next version, which has most of them too. */
  readonly chunks: ReadonlyMap<string, readonly unknown[]>;
}

/** How many rows a warm function holds, of all workspaces together; with what is made of it, one weighs about 3 KB. */
const rowsMax = 20_000;
const indexes = new BoundedCache<LoadedIndex>(rowsMax);
const loading = new Map<string, Promise<LoadedIndex>>();
const noMenu: MenuIndex = { version: '', language: '', products: [], categories: [] };

export const menuScope = ({ workspaceId }: WorkspaceScope): IndexScope => ({ workspaceId, collection: menuCollection });

/** One small read; chunks are read only when the head has moved, and only those that changed. @throws IndexMoved */
export async function readMenuIndex(table: Table, scope: WorkspaceScope): Promise<MenuIndex> {
  const head = (await readHead(table, menuScope(scope))) as MenuHead | undefined;
  if (!head) return noMenu;
  const known = indexes.get(scope.workspaceId);
  if (known?.version === head.version) return known;
  const name = `${scope.workspaceId} ${head.version}`;
  const loadAnew = () => load(table, menuScope(scope), head, known?.chunks ?? new Map());
  // The request that loads it may run out of time while others that wait for it have some left.
  const loaded = loading.get(name)?.catch(loadAnew) ?? loadAnew();
  loading.set(name, loaded);
  try {
    const index = await loaded;
    indexes.set(scope.workspaceId, index, index.products.length + index.categories.length + 1);
    return index;
  } finally {
    loading.delete(name);
  }
}

async function load(
  table: Table,
  scope: IndexScope,
  head: MenuHead,
  known: ReadonlyMap<string, readonly unknown[]>,
): Promise<LoadedIndex> {
  const { content: directory } = await loadPart<MenuDirectory>(table, scope, head.directory);
  const chunks = new Map<string, readonly unknown[]>();
  const rowsOf = async <Tuple, Row>(list: Directory, fromTuple: (tuple: Tuple) => Row): Promise<Row[]> => {
    const parts = list.map(async ([partId]) => {
      const rows = known.get(partId) ?? (await loadPart<Tuple[]>(table, scope, partId)).content.map(fromTuple);
      chunks.set(partId, rows);
      return rows as readonly Row[];
    });
    return (await Promise.all(parts)).flat();
  };
  const [products, categories] = await Promise.all([
    rowsOf<ProductTuple, ProductRow>(directory.products, productFromTuple),
    rowsOf<CategoryTuple, CategoryRow>(directory.categories, categoryFromTuple),
  ]);
  return { version: head.version, language: head.language, products, categories, chunks };
}

/** Names everything that a list can show of the menu. */
export const versionOf = ({ version, language }: MenuIndex): string => `${version} ${language}`;
