import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from '@jest/globals';
import type { RelationRow } from '#lib/domain/cms/product-relation.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-records.ts';
import { type ProductRow, productRow } from '#lib/domain/menu/menu-row.ts';
import { memoryMegabytesDefault, nodeOptionsFor } from '#lib/infra/service-function.ts';
import { type CollectionHead, type CollectionScope, headKey } from '#lib/table/collection/head.ts';
import { swapBase } from '#lib/table/collection/swap-base.ts';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { menuScope } from '#lib/table/menu/menu-index.ts';
import { storeMenu } from '#lib/table/menu/menu-parts.ts';
import { relationScope } from '#lib/table/menu/relation-base.ts';
import { storeRelations } from '#lib/table/menu/relation-parts.ts';
import type { Item } from '#lib/table/schema.ts';
import type { Answer } from '#test/support/call.ts';
import { Containers } from '#test/support/containers.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

/** Only the newest records are stored: a list reads the records of its page. An import of all takes minutes. */
const storedRecords = 100;

const idAt = (index: number): string => `large_${String(index).padStart(6, '0')}`;
const timeAt = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();

/** Gives a kitchen a menu of many products. Each has an entry of `chefs` that relates to it and to the next product. */
async function storeLargeMenu(workspaceId: string, count: number): Promise<void> {
  const scope = { workspaceId };
  const newest = Array.from({ length: storedRecords }, (_, index) => count - 1 - index);
  await putAll(
    testTable(),
    newest.flatMap((index) => [productItem(scope, index), entryItem(scope, index)]),
  );
  const menuRows = { products: productRows(count), categories: [] };
  await replaceBase(menuScope(scope), await storeMenu(testTable(), menuScope(scope), menuRows, undefined), count);
  const rows = new Map(relationRows(count).map((row) => [row.id, row]));
  const models = new Map([['chefs', { fields: ['signature'], rows }]]);
  await replaceBase(relationScope(scope), await storeRelations(testTable(), scope, models, undefined), count);
}

async function replaceBase(scope: CollectionScope, content: object, total: number) {
  const table = testTable();
  const before = (await table.get(headKey(scope))) as (Item & CollectionHead) | undefined;
  await swapBase({ table, scope, before, content, fields: { total } });
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

const productCount = 100_000;
const proxy = await FaultProxy.start();
const containers = await Containers.start(0, proxy.url);

afterAll(async () => {
  await containers[Symbol.asyncDispose]();
  await proxy.stop();
});

it('a function with the default memory keeps a menu of 100,000 products with its relations, and exchanges it for another', async () => {
  const kitchens = [await openWorkspace('kitchen'), await openWorkspace('kitchen')] as const;
  for (const { workspaceId } of kitchens) await storeLargeMenu(workspaceId, productCount);
  const container = containers.open(nodeOptionsFor(memoryMegabytesDefault).split(' '));
  const list = ({ keys }: Workspace): Promise<Answer> =>
    container.call(`GET /api/public/menu/products?limit=5&apiKey=${keys.reader}`);
  for (const kitchen of [...kitchens, ...kitchens]) {
    // A function with little time for each request loads such a menu in several requests.
    let first = await list(kitchen);
    for (let tries = 1; first.status === 503 && tries < 10; tries++) first = await list(kitchen);
    proxy.calls = [];
    const second = await list(kitchen);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.json.data.map(({ cmsData }: { cmsData: object }) => Object.keys(cmsData))).toEqual(
      Array.from({ length: 5 }, () => ['chefs']),
    );
    // The key, the heads and the records of the page; no part of the menu.
    expect(proxy.calls.length).toBeLessThanOrEqual(4);
  }
  expect(peakMegabytes(container.pid)).toBeLessThan(memoryMegabytesDefault);
});

/** The most memory that a process has had. */
const peakMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
