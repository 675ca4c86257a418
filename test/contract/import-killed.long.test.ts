import { beforeAll, describe, expect, it } from '@jest/globals';
import { dueWorkPrefix } from '#lib/table/due/keys.ts';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys, relationCollection } from '#lib/table/keys.ts';
import type { Item } from '#lib/table/schema.ts';
import type { Table } from '#lib/table/table.ts';
import { call } from '#test/support/call.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { killAtEveryWrite } from '#test/support/killable-table.ts';
import { allItems, comparable, openOwnTable, restoreItems } from '#test/support/own-table.ts';
import { type Document, importFile, load, testTable } from '#test/support/world.ts';

const workspaceId = newWorkspaceId();
const key = siteSecret(workspaceId);
const began = new Date().toISOString();

/** A document with the kinds of lists: databases with entries, and the menu. */
function listed(): Document {
  const { version, workspace, apiKeys, cms, menu } = everyKind(workspaceId);
  return { version, workspace, apiKeys: [apiKeys[0]], cms, menu };
}

/** The same with every kind of change. With prune, it removes an entry, a database and a product. */
function changed(prune: boolean): Document {
  const document = listed();
  const { models, entries } = document.cms;
  const [dishes] = models;
  dishes.fields.push({ key: 'added', name: { en: 'Added' }, type: 'text', localized: true });
  document.cms.models = [
    dishes,
    { id: 'later', name: { en: 'Later' }, fields: [{ key: 'text', name: { en: 'Text' }, type: 'text' }] },
  ];
  const [first, second, third, , fifth] = entries;
  second.values = { title: { en: 'Changed' }, products: ['prod_1', 'prod_4'] };
  third.published = false;
  document.cms.entries = [
    first,
    second,
    third,
    fifth,
    { id: 'dish_6', modelId: 'dishes', createdAt: '2025-01-01T00:00:00.000Z', values: { title: { en: 'Oldest' } } },
    { id: 'dish_7', modelId: 'dishes', values: { title: { en: 'Newest' }, products: ['prod_1'] } },
    { id: 'later_1', modelId: 'later', values: { text: 'First of its kind' } },
  ];
  const [rice, tea] = document.menu.products;
  [rice.slug, tea.slug] = [tea.slug, rice.slug];
  rice.name = { en: 'Renamed' };
  document.menu.products = [rice, tea, { ...tea, id: 'prod_4', slug: prune ? 'product-3' : 'product-4' }];
  document.menu.categories[0].slug = 'starters';
  return document;
}

/** The counts, orders and contents of all lists, page by page. */
async function seen() {
  const dishes: string[] = [];
  const totals = new Set<string | undefined>();
  for (let offset = 0; offset === dishes.length; offset += 3) {
    const { json, headers } = await call(`GET /api/public/cms/dishes/list?limit=3&maxDepth=0&offset=${offset}`, {
      key,
    });
    dishes.push(...json.map(({ id }: { id: string }) => id));
    totals.add(headers['x-cms-total']);
  }
  const products = await call(`GET /api/public/menu/products?apiKey=${key}&includeCmsData=false`);
  const categories = await call(`GET /api/public/menu/categories?apiKey=${key}`);
  return {
    dishes,
    totals: [...totals],
    menu: [products.status, products.text, categories.status, categories.text],
  };
}

/** The relations that products show. */
async function related() {
  const { json } = await call(`GET /api/public/menu/products?apiKey=${key}`);
  return json.data.map(({ id, cmsData }: Document) => [id, cmsData.dishes?.map(({ id }: Document) => id)]);
}

/**
 * The items that an uninterrupted import leaves, too. Parts of the relation index are left out: updates write them,
 * too, so no import can tell which are unused. Columns are left out: after a kill they wait for the compaction.
 */
async function stored() {
  const ofRelations = keys.index(workspaceId, relationCollection);
  const items = (await allItems()).filter(
    ({ pk, sk }) => !pk.startsWith(dueWorkPrefix('compaction')) && (pk !== ofRelations || sk === 'HEAD'),
  );
  return comparable(items, began)
    .filter((text) => !/#index#cms#.*"rows":\[\[/.test(text))
    .map((text) => text.replace(/"columns":\{.*?\},(?="former")/, ''));
}

let before: Item[];

beforeAll(async () => {
  await openOwnTable();
  await load(listed());
  before = await allItems();
});

describe.each([
  { prune: true, step: 1 },
  { prune: false, step: 3 },
])('an import that is killed between two writes (prune: $prune)', ({ prune, step }) => {
  it('leaves lists in their old or new state, and is completed by the next import', async () => {
    await restoreItems(before);
    const old = await seen();
    expect((await importFile(changed(prune), { prune })).failures).toEqual([]);
    const expected = { items: await stored(), lists: await seen(), relations: await related() };
    expect(expected.lists).not.toEqual(old);
    const run = async (table: Table) => {
      await restoreItems(before);
      expect((await importFile(changed(prune), { prune }, table)).failures).toEqual([]);
    };
    const check = async (writes: number, isComplete: boolean) => {
      const state = await seen();
      expect([old.dishes, expected.lists.dishes]).toContainEqual(state.dishes);
      expect([old.totals, expected.lists.totals]).toContainEqual(state.totals);
      expect([old.menu, expected.lists.menu]).toContainEqual(state.menu);

      // Ends the lease of the killed import.
      await removeAll(testTable(), [keys.importLease(workspaceId)]);
      if (!isComplete) await load(changed(prune), { prune });
      expect({ writes, items: await stored() }).toEqual({ writes, items: expected.items });
      expect(await seen()).toEqual(expected.lists);
      expect(await related()).toEqual(expected.relations);
    };
    await killAtEveryWrite(run, check, { step });
  }, 900_000);
});
