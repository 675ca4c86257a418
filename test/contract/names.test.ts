import { beforeAll, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { type ManageKitchen, openManageKitchen } from '#test/support/manage-kitchen.ts';
import { importFile } from '#test/support/world.ts';

const composed = 'cr\u00e8me';
const decomposed = composed.normalize('NFD');
const invisible = '\u00a0\u200f\u2066\u3164\u00ad\t';

let kitchen: ManageKitchen;
beforeAll(async () => {
  kitchen = await openManageKitchen();
});

it.each(['POST members', 'POST api-keys', 'POST agents', 'PATCH workspace', 'PATCH members/mem_few'])(
  '%s refuses a name that shows nothing, and trims any other',
  async (request) => {
    for (const name of ['', '  ', invisible]) {
      const { status, json } = await kitchen.manage(request, { name });
      expect([status, json.errors]).toEqual([400, [expect.objectContaining({ path: 'name', code: 'required' })]]);
    }
    expect((await kitchen.manage(request, { name: '\u3000Lina \n' })).json.name).toBe('Lina');
  },
);

it('a document is refused for names that show nothing', async () => {
  const { failures } = await importFile({
    version: 1,
    workspace: { id: kitchen.workspaceId, name: invisible, languages: ['en'], defaultLanguage: 'en' },
    members: [{ id: 'mem_blank', name: '' }],
  });
  expect(failures.map(({ kind, path, code }) => [kind, path, code].join(' '))).toEqual([
    'workspace name required',
    'member name required',
  ]);
});

it('blank names of customers and channels and blank barcodes are null', async () => {
  const customer = await kitchen.manage('POST customers', { name: ' \u200b', externalId: decomposed });
  expect(customer.json).toMatchObject({ name: null, externalId: composed });
  const channel = { type: 'website', identifier: 'blank.example.com', name: ' ' };
  expect((await kitchen.manage('POST channels', channel)).json.name).toBeNull();
  const patch = { barcode: '  ', priceOptions: [{ id: 'a', price: 1, barcode: '\u200e' }] };
  expect((await kitchen.manage('PATCH menu-products/prod_1', patch)).json).toMatchObject({
    barcode: null,
    priceOptions: [{ id: 'a', price: 1, barcode: null }],
  });
});

it('slugs are stored and compared in one form of Unicode', async () => {
  const category = await kitchen.manage('POST menu-categories', { slug: decomposed, name: { en: 'Cream' } });
  expect([category.status, category.json.slug]).toEqual([201, composed]);
  const again = await kitchen.manage('POST menu-categories', { slug: composed, name: { en: 'Cream' } });
  expect(again.json.errors).toEqual([expect.objectContaining({ path: 'slug', code: 'duplicate' })]);
  await kitchen.manage('PATCH menu-products/prod_1', { categoryId: category.json.id });
  const key = kitchen.secretOf('menu:product:read');
  for (const slug of [composed, decomposed]) {
    const query = `categorySlugs=${encodeURIComponent(slug)}&apiKey=${key}`;
    const { json } = await call(`GET /api/public/menu/products?${query}`, {});
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual(['prod_1']);
  }
});

it('forms are found, and options chosen, in any form of Unicode', async () => {
  const options = [{ value: decomposed, label: { en: 'Cream' } }];
  const field = { id: 'f1', ref: 'dish', title: { en: 'Dish' }, type: 'MULTI_SELECT', validations: { options } };
  const form = { slug: decomposed, title: { en: 'Order' }, fields: [field] };
  const { json } = await kitchen.manage('POST forms', form);
  expect([json.slug, json.fields[0].validations.options[0].value]).toEqual([composed, composed]);
  for (const spelling of [composed, decomposed]) {
    const path = `/api/public/forms/${encodeURIComponent(spelling)}`;
    const read = await call(`GET ${path}?apiKey=${kitchen.secretOf('forms:form:read')}`, {});
    expect(read.status).toBe(200);
    const query = `apiKey=${kitchen.secretOf('forms:response:create')}`;
    expect((await call(`POST ${path}?${query}`, { body: { dish: [spelling] } })).status).toBe(200);
  }
});
