import type { RelationRow } from '#lib/domain/cms/product-relation.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import { type ProductRow, productRow } from '#lib/domain/menu/menu-row.ts';
import type { CollectionHead, CollectionScope } from '#lib/table/collection/head.ts';
import { headKey } from '#lib/table/collection/head.ts';
import { type NextBase, swapBase } from '#lib/table/collection/swap-base.ts';
import { keys } from '#lib/table/keys.ts';
import { menuParts, menuScope } from '#lib/table/menu/menu-index.ts';
import { relationParts, relationScope } from '#lib/table/menu/product-relations.ts';
import type { Item } from '#lib/table/schema.ts';
import { testTable } from './world.ts';

/** Only the newest records are stored: a list reads the records of its page. An import of all takes minutes. */
const storedRecords = 100;

const idAt = (index: number): string => `large_${String(index).padStart(6, '0')}`;
const timeAt = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();

/** Gives a kitchen a menu of many products. Each has an entry of `chefs` that relates to it and to the next product. */
export async function storeLargeMenu(workspaceId: string, count: number): Promise<void> {
  const scope = { workspaceId };
  const newest = Array.from({ length: storedRecords }, (_, index) => count - 1 - index);
  await testTable().write(
    newest.flatMap((index) => [productItem(scope, index), entryItem(scope, index)]).map((put) => ({ put })),
  );
  const menu = await menuParts(menuScope(scope), { products: productRows(count), categories: [] }, undefined);
  await replaceBase(menuScope(scope), { ...menu, fields: { total: count } });
  const rows = new Map(relationRows(count).map((row) => [row.id, row]));
  const relations = await relationParts(scope, new Map([['chefs', { fields: ['signature'], rows }]]), undefined);
  await replaceBase(relationScope(scope), { ...relations, fields: { total: count } });
}

async function replaceBase(scope: CollectionScope, next: Pick<NextBase, 'unstored' | 'content' | 'fields'>) {
  const table = testTable();
  const before = (await table.get(headKey(scope))) as (Item & CollectionHead) | undefined;
  await swapBase({ table, scope, before, next: { ...next, consumed: [], former: [] }, unlessImporting: false });
}

const product = (index: number): MenuProduct =>
  ({
    id: idAt(index),
    slug: idAt(index),
    categoryId: 'cat_1',
    published: true,
    soldout: false,
    name: { en: `Grilled lemon chicken ${index}`, ar: `دجاج مشوي بالليمون ${index}` },
    priceOptions: ['S', 'M', 'L'].map((id, size) => ({ id, price: 10 + size, name: { en: id } })),
    images: [],
    suggestions: [],
    optionSets: [],
    position: null,
    createdAt: timeAt(index),
    updatedAt: timeAt(index),
  }) as unknown as MenuProduct;

const productItem = ({ workspaceId }: { workspaceId: string }, index: number): Item => ({
  ...keys.record(workspaceId, 'menuProduct', idAt(index)),
  record: JSON.stringify(product(index)),
  hash: hashAt(index),
});

/** As long as a hash of a record. */
const hashAt = (index: number): string => String(index).padStart(16, '0');

function* productRows(count: number): Generator<ProductRow> {
  for (let index = 0; index < count; index++) yield productRow(product(index), hashAt(index));
}

const dishes = (index: number, count: number): string[] => [idAt(index), idAt((index + 1) % count)];

const entryItem = ({ workspaceId }: { workspaceId: string }, index: number): Item => ({
  ...keys.cmsEntry(workspaceId, 'chefs', timeAt(index), idAt(index)),
  id: idAt(index),
  modelId: 'chefs',
  published: true,
  createdAt: timeAt(index),
  updatedAt: timeAt(index),
  values: { name: { en: `Chef ${index}` }, signature: [idAt(index)] },
  revision: `r${index}`,
});

const relationRows = (count: number): RelationRow[] =>
  Array.from({ length: count }, (_, index) => ({
    id: idAt(index),
    createdAt: timeAt(index),
    published: true,
    revision: `r${index}`,
    productIds: dishes(index, count),
  }));
