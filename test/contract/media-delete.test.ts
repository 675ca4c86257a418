import { expect, it } from '@jest/globals';
import { listEvents } from '#lib/access/audit-log.ts';
import { imageKey } from '#lib/domain/files/public-image.ts';
import { objectSize } from '#lib/files/read-file.ts';
import { call } from '#test/support/call.ts';
import { png } from '#test/support/image-files.ts';
import { fetchImage, imagePart, mediaAddress, upload } from '#test/support/media.ts';
import { documentOf } from '#test/support/menu.ts';
import { sweepFiles } from '#test/support/stored-files.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const kitchen = await openWorkspace('media');
const other = await openWorkspace('media');
const { editor, reader, owner } = kitchen.keys;
const remove = (id: string, key = owner) => call(`DELETE ${mediaAddress}/${id}`, { key });
const image = async () => (await upload(editor, [imagePart()])).json;

it('an unreferenced image is deleted immediately, with its object', async () => {
  const { id, url } = await image();
  const { status, text } = await remove(id);
  expect([status, text]).toEqual([204, '']);
  expect([(await fetchImage(url)).status, (await remove(id)).status]).toEqual([404, 404]);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await sweepFiles(later);
  expect(await objectSize(imageKey(kitchen.workspaceId, id))).toBeUndefined();
  const { data: events } = await listEvents(testTable(), kitchen, { recordKind: 'media', recordId: id, limit: 5 });
  expect(events.map(({ action }) => action)).toEqual(['delete', 'create']);
});

it('a referenced image is kept, and the answer names the records', async () => {
  const used = await image();
  const [category] = kitchen.document.menu.categories;
  const [product] = kitchen.document.menu.products;
  const menu = {
    categories: [{ ...category, showcase: used }],
    products: [{ ...product, images: [used] }],
  };
  await load(documentOf(kitchen, { menu }));
  const values = { picture: used, rich: { en: `<img src="${used.url}">` } };
  await call('PATCH /api/public/cms/things/thing_1', { key: editor, body: { values } });
  const { status, json } = await remove(used.id);
  expect([status, json.code]).toEqual([409, 'in_use']);
  expect(json.errors.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual([
    ['cms-entries/things/thing_1', 'in_use'],
    ['menu-categories/cat_1', 'in_use'],
    ['menu-products/prod_1', 'in_use'],
  ]);
  expect((await fetchImage(used.url)).status).toBe(200);
  await load(documentOf(kitchen, { menu: { categories: [category], products: [product] } }));
  await call('PATCH /api/public/cms/things/thing_1', { key: editor, body: { values: { picture: null } } });
  // The text still refers to the image.
  expect((await remove(used.id)).json.errors).toHaveLength(1);
  await call('PATCH /api/public/cms/things/thing_1', { key: editor, body: { values: { rich: { en: null } } } });
  expect((await remove(used.id)).status).toBe(204);
});

it('a reference counts wherever a record has it', async () => {
  const { id, url } = await image();
  const field = (key: string, type: string, more = {}) => ({ key, name: { en: key }, type, ...more });
  const fields = [field('data', 'json'), field('page', 'url'), field('many', 'media', { many: true })];
  const model = (own: object[]) => ({ id: 'holders', name: { en: 'Holders' }, fields: own });
  const values = [
    { data: { deep: [{ texts: [`see ${url}`] }] } },
    { page: `https://kitchen.example${new URL(url, 'https://kitchen.example').pathname}` },
    {
      many: [
        { id: 'other', url: '/other.png' },
        { id, url },
      ],
    },
  ];
  const entries = values.map((own, index) => ({ id: `holder_${index}`, modelId: 'holders', values: own }));
  const [category] = kitchen.document.menu.categories;
  const forms = [{ id: 'form_image', slug: 'form-image', title: { en: `At ${url}` } }];
  const product = { id: 'draft', slug: 'draft', name: { en: 'Draft' }, categoryId: category.id, published: false };
  const menu = { products: [{ ...product, description: { en: `<img src="${url}">` } }] };
  await load(documentOf(kitchen, { cms: { models: [model(fields)], entries }, forms, menu }));
  const referrers = async () => (await remove(id)).json.errors?.map(({ path }: { path: string }) => path);
  const holders = values.map((_, index) => `cms-entries/holders/holder_${index}`);
  expect(await referrers()).toEqual([...holders, 'forms/form_image', 'menu-products/draft']);
  // The field may be added again, and then shows its values.
  await load(documentOf(kitchen, { cms: { models: [model(fields.slice(0, 1))], entries: [] } }));
  expect(await referrers()).toEqual([...holders, 'forms/form_image', 'menu-products/draft']);
});

it('an answer names at most twenty of the records that refer to an image', async () => {
  const used = await image();
  const products = Array.from({ length: 25 }, (_, number) => ({
    id: `many_${number}`,
    slug: `many-${number}`,
    name: { en: 'Many' },
    categoryId: 'cat_1',
    thumbnail: used,
  }));
  await load(documentOf(kitchen, { menu: { products } }));
  expect((await remove(used.id)).json.errors).toHaveLength(20);
});

it('an image of another workspace, and a malformed id, are not found', async () => {
  const { id, url } = await image();
  for (const [unknown, key] of [
    [id, other.keys.editor],
    ['img_1', editor],
    [`${id}x`, editor],
  ] as const) {
    expect((await remove(unknown, key)).json).toEqual({ message: 'Image not found.', code: 'not_found' });
  }
  expect((await remove(id, reader)).status).toBe(403);
  expect((await remove(id, kitchen.keys.overruled)).status).toBe(403);
  expect((await fetchImage(url)).bytes.equals(png())).toBe(true);
});
