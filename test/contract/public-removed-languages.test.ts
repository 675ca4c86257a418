import { expect, it } from '@jest/globals';
import { compactWorkspace } from '#lib/table/collection/compact-collections.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const image = { id: 'img_1', url: 'https://example.com/a.png', alt: { en: 'A', ar: 'أ' }, width: 1, height: 1 };
const field = (key: string, type: string, more: object = {}) => ({ key, name: { en: key }, type, ...more });
const kitchen = await openWorkspace('records', (document) => {
  const fields = [
    field('title', 'text', { localized: true }),
    field('photo', 'media'),
    field('dish', 'relation', { relation: { to: 'menu:product', many: false } }),
  ];
  document.cms = {
    models: [{ id: 'notes', name: { en: 'Notes' }, fields }],
    entries: [
      {
        id: 'note_1',
        modelId: 'notes',
        values: { title: { en: 'One', ar: 'واحد' }, photo: image, dish: 'prod_ar' },
      },
    ],
  };
  document.menu.categories.push({ id: 'cat_ar', slug: 'category-ar', name: { ar: 'صنف', en: 'C' }, thumbnail: image });
  document.menu.products.push({
    id: 'prod_ar',
    slug: 'arabic',
    name: { en: 'Dish', ar: 'طبق' },
    description: { ar: 'وصف' },
    categoryId: 'cat_ar',
    thumbnail: image,
    images: [image],
    suggestions: ['prod_ar'],
    priceOptions: [{ id: 'po_1', price: 1, name: { en: 'Small', ar: 'صغير' } }],
  });
  document.forms[0].title = { en: 'Contact', ar: 'اتصل' };
});
const { manage, document } = kitchen;
const { slug } = document.forms[0];
const addresses = [
  'cms/notes/list',
  'cms/notes/note_1',
  'cms/notes/list?locale=en',
  'menu/products',
  'menu/products?ids=prod_ar&includeCmsData=false',
  'menu/categories',
  'menu/categories?includeProducts=true',
  `forms/${slug}`,
];
const get = (address: string, headers = {}) => {
  const key = kitchen.secretOf('all');
  if (address.startsWith('cms/')) return call(`GET /api/public/${address}`, { key, headers });
  return call(`GET /api/public/${address}${address.includes('?') ? '&' : '?'}apiKey=${key}`, { headers });
};
const texts = new Map<string, string>();

/** All current answers. Expects each ETag to belong to one text. */
async function answers(): Promise<readonly string[]> {
  return Promise.all(
    addresses.map(async (address) => {
      const { status, text, headers } = await get(address);
      expect([address, status]).toEqual([address, 200]);
      const tag = `${address} ${headers['etag']}`;
      // The ETag of one entry is that of its version: it serves `If-Match`, and causes no 304.
      if (address !== 'cms/notes/note_1') expect([tag, texts.get(tag) ?? text]).toEqual([tag, text]);
      texts.set(tag, text);
      return text;
    }),
  );
}

it('answers to websites hide the texts of a removed language, and show them when it returns', async () => {
  const before = await answers();
  expect(before.filter((text) => /"ar"/.test(text))).toHaveLength(addresses.length - 1);
  const tags = await Promise.all(addresses.map(async (address) => (await get(address)).headers['etag'] ?? ''));
  expect((await manage('PATCH workspace', { languages: ['en'] })).status).toBe(200);
  const without = await answers();
  expect(without.map((text) => text.match(/"ar"/))).toEqual(addresses.map(() => null));
  expect(JSON.parse(without[4] ?? '').data[0]).toMatchObject({
    name: { en: 'Dish' },
    description: {},
    thumbnail: { alt: { en: 'A' } },
    category: { name: { en: 'C' } },
    suggestions: [{ name: { en: 'Dish' } }],
    priceOptions: [{ name: { en: 'Small' } }],
  });
  for (const [index, address] of addresses.entries()) {
    if (before[index] === without[index]) continue;
    const { status } = await get(address, { 'if-none-match': tags[index] });
    expect([address, status]).toEqual([address, 200]);
  }
  expect((await manage('PATCH workspace', { languages: ['en', 'ar'] })).status).toBe(200);
  expect(await answers()).toEqual(before);
});

it('menu lists are neither searched nor sorted by a text that no answer shows', async () => {
  const { workspaceId } = kitchen;
  const ids = async (address: string): Promise<string[]> =>
    (await get(address)).json.data.map(({ id }: { id: string }) => id);
  const lists = async () =>
    Promise.all([
      ids(`menu/products?search=${encodeURIComponent('طبق فريد')}`),
      ids(`menu/categories?search=${encodeURIComponent('صنف')}`),
      ids('menu/products?sortBy=name&sortOrder=asc&ids=prod_only,prod_ar'),
      manage(`GET menu-products?q=${encodeURIComponent('فريد')}`).then(({ json }) => json.data.length),
    ]);
  await manage('PUT menu-products/prod_only', { slug: 'only', categoryId: 'cat_ar', name: { ar: 'طبق فريد' } });
  expect(await lists()).toEqual([['prod_only'], ['cat_ar'], ['prod_ar', 'prod_only'], 1]);
  await manage('PATCH workspace', { languages: ['en'] });
  expect(await lists()).toEqual([[], [], ['prod_only', 'prod_ar'], 0]);
  // A base that is made meanwhile keeps the texts.
  await compactWorkspace(testTable(), workspaceId);
  await manage('PATCH workspace', { languages: ['en', 'ar'] });
  expect(await lists()).toEqual([['prod_only'], ['cat_ar'], ['prod_ar', 'prod_only'], 1]);
});

it('responses hide the texts of a removed language after an import, too', async () => {
  await load({ version: 1, workspace: { ...document.workspace, languages: ['en'] } });
  expect((await answers()).map((text) => text.match(/"ar"/))).toEqual(addresses.map(() => null));
});
