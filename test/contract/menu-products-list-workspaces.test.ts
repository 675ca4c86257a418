import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import {
  callList,
  documentOf,
  idsOf,
  type ListName,
  pageOf,
  product,
  timeAtSecond,
  withProducts,
} from '#test/support/menu.ts';
import type { Workspace } from '#test/support/workspace.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, load } from '#test/support/world.ts';

const everywhere = (canary: string) => ({ en: `Tea ${canary}`, ar: `شاي ${canary}` });

/** A menu with the ids and slugs of the other, whose texts contain the canary of its kitchen. */
function fill({ workspace: { name: canary }, menu, cms }: Document): void {
  const text = everywhere(canary);
  const image = { id: 'img', url: `https://img.example/${canary}.png`, alt: text };
  const option = { id: 'opt', name: text, price: 1 };
  menu.categories[0] = { ...menu.categories[0], description: text, thumbnail: image, smallThumbnail: image };
  menu.products = ['tea', 'rice', 'draft'].map((id, index) =>
    product(id, {
      name: text,
      intro: text,
      description: text,
      barcode: canary,
      thumbnail: image,
      images: [image],
      priceOptions: [{ id: 'po', price: 4.5, name: text, barcode: canary }],
      optionSets: [{ id: 'set', name: text, options: [option] }],
      nutritionFacts: { servingSize: canary, allergens: [canary] },
      suggestions: ['rice', 'draft'],
      published: id !== 'draft',
      createdAt: timeAtSecond(index),
    }),
  );
  const dish = { key: 'dish', name: { en: 'Dish' }, type: 'relation', relation: { to: 'menu:product', many: false } };
  cms.models.push({ id: 'notes', name: text, fields: [{ key: 'text', name: { en: 'Text' }, type: 'text' }, dish] });
  cms.entries.push({ id: 'note', modelId: 'notes', values: { text: canary, dish: 'tea' } });
}

const own = await openWorkspace('kitchen', withProducts([], fill));

/** A kitchen with records that the other lacks. */
const other = await openWorkspace(
  'kitchen',
  withProducts([], (document) => {
    fill(document);
    const { menu, cms } = document;
    menu.categories.push({ id: 'cat_theirs', slug: 'theirs', name: { en: 'Theirs' } });
    menu.products.push(product('theirs', { categoryId: 'cat_theirs', name: { en: 'Theirs' } }));
    menu.products.push(product('more', { suggestions: ['theirs'] }));
    cms.entries.push({ id: 'theirs', modelId: 'notes', values: { text: 'theirs', dish: 'tea' } });
  }),
);

const requests: readonly (readonly [ListName, string])[] = [
  ...['', 'limit=100', 'search=tea', 'q=شاي', 'slug=tea', 'ids=tea,rice', 'categoryId=cat_1', 'categorySlug=mains'].map(
    (query) => ['products', query] as const,
  ),
  ...['minPrice=4.5&maxPrice=4.5', 'soldout=false&sortBy=name', 'sortBy=slug&sortOrder=asc&limit=1&page=2'].map(
    (query) => ['products', query] as const,
  ),
  ['products', 'published=false'],
  ...['', 'includeProducts=true', 'search=mains', 'slug=mains&includeProducts=true', 'ids=cat_1', 'sortBy=name'].map(
    (query) => ['categories', query] as const,
  ),
];
const textOf = async (list: ListName, { keys }: Workspace, query: string) => {
  const { text, headers } = await callList(list, keys.chief, query);
  return text + JSON.stringify(headers);
};

describe('two workspaces with the same ids and slugs', () => {
  it.each(requests)('%s show each workspace its own data only, in any order of calls: %s', async (list, query) => {
    for (const _ of ['first', 'again']) {
      const [left, right] = await Promise.all([textOf(list, own, query), textOf(list, other, query)]);
      expect(left).toContain(own.canary);
      expect(right).toContain(other.canary);
      expect(left).not.toContain(other.canary);
      expect(right).not.toContain(own.canary);
    }
  });

  it('count their own records', async () => {
    for (const [list, counts] of [
      ['products', [2, 4]],
      ['categories', [1, 2]],
    ] as const) {
      const pages = await Promise.all([own, other].map(({ keys }) => pageOf(list, keys.reader)));
      expect(pages.map(({ pagination }) => pagination.total)).toEqual(counts);
    }
    const counts = await Promise.all([own, other].map(({ keys }) => pageOf('categories', keys.reader, 'ids=cat_1')));
    expect(counts.map(({ data }) => data[0].productsCount)).toEqual([2, 3]);
  });

  it('relate their own entries', async () => {
    const pages = await Promise.all([own, other].map(({ keys }) => pageOf('products', keys.reader, 'ids=tea')));
    const ids = pages.map(({ data }) => data[0].cmsData.notes.map(({ id }: { id: string }) => id));
    expect(ids).toEqual([['note'], ['theirs', 'note']]);
  });

  it.each<[ListName, string]>([
    ['products', 'ids=theirs,more'],
    ['products', 'slug=theirs'],
    ['products', 'categoryId=cat_theirs'],
    ['products', 'categorySlug=theirs'],
    ['products', 'search=theirs'],
    ['categories', 'ids=cat_theirs'],
    ['categories', 'slug=theirs'],
  ])('%s?%s finds the record of one, and nothing in the other', async (list, query) => {
    expect(await idsOf(list, other.keys.chief, query)).not.toEqual([]);
    const theirs = await callList(list, own.keys.chief, query);
    const nobodys = await callList(list, own.keys.chief, query.replace('theirs', 'absent'));
    expect([theirs.status, theirs.text]).toEqual([200, nobodys.text]);
    expect(theirs.json.data).toEqual([]);
  });
});

describe('a change in one workspace', () => {
  const both = (kitchen: Workspace) =>
    Promise.all(requests.map(async ([list, query]) => (await callList(list, kitchen.keys.chief, query)).text));

  it('an update of an entry of one workspace leaves the other unchanged', async () => {
    const before = await both(other);
    const body = { values: { text: own.canary, published: false } };
    const updated = await call('PATCH /api/public/cms/notes/note', { key: own.keys.editor, body });
    expect(updated.status).toBe(200);
    expect((await pageOf('products', own.keys.reader, 'ids=tea')).data[0].cmsData).toEqual({});
    expect(await both(other)).toEqual(before);
  });

  it('an import into one workspace leaves the other unchanged', async () => {
    const before = await both(other);
    const products = [product('tea', { name: { en: own.canary }, categoryId: 'cat_1', soldout: true })];
    await load(documentOf(own, { menu: { products } }), { prune: true });
    expect(await idsOf('products', own.keys.reader)).toEqual(['tea']);
    expect(await both(other)).toEqual(before);
  });
});
