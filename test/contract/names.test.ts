import { beforeAll, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, importFile } from '#test/support/world.ts';

const composed = 'cr\u00e8me';
const decomposed = composed.normalize('NFD');
const invisible = '\u00a0\u200f\u2066\u3164\u00ad\t';

let kitchen: Workspace<'records'>;
beforeAll(async () => {
  kitchen = await openWorkspace('records');
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

/** Records with a localized name at a path, and what refuses them where the name shows nothing. */
const fieldNamed = (name: object) => ({ key: 'taste', name, type: 'text' });
const questionNamed = (title: object) => ({ id: 'q', ref: 'taste', title, type: 'TEXT' });
const productNamed = (name: object, more: object = {}) => ({ slug: 'menemen', name, categoryId: 'cat_1', ...more });
const choice = { id: 'hot', name: { en: 'Hot' }, price: 0 };
const localizedNames: readonly [kind: string, path: string, record: (name: object) => object][] = [
  ['menu-categories', 'name', (name) => ({ slug: 'kahvalti', name })],
  ['menu-products', 'name', (name) => productNamed(name)],
  [
    'menu-products',
    'priceOptions.0.name',
    (name) => productNamed({ ar: 'شكشوكة' }, { priceOptions: [{ id: 'a', price: 1, name }] }),
  ],
  [
    'menu-products',
    'optionSets.0.name',
    (name) => productNamed({ ar: 'شكشوكة' }, { optionSets: [{ id: 'a', name, options: [choice] }] }),
  ],
  [
    'menu-products',
    'optionSets.0.options.0.name',
    (name) =>
      productNamed({ ar: 'شكشوكة' }, { optionSets: [{ id: 'a', name: { en: 'A' }, options: [{ ...choice, name }] }] }),
  ],
  ['cms-models', 'name', (name) => ({ name, fields: [] })],
  ['cms-models', 'fields.0.name', (name) => ({ name: { en: 'Tastes' }, fields: [fieldNamed(name)] })],
  ['forms', 'title', (title) => ({ slug: 'anket', title, fields: [] })],
  ['forms', 'fields.0.title', (title) => ({ slug: 'anket', title: { ar: 'استبيان' }, fields: [questionNamed(title)] })],
];
const at = (record: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], record);
const blankTexts: readonly object[] = [{}, { ar: '' }, { en: ' \u3000', ar: invisible }, { en: null }];
const codesIn = (issues: readonly Document[]) => issues.map(({ path, code }) => `${path} ${code}`);

it.each(localizedNames)('%s need text in some language at %s, and it is trimmed', async (kind, path, record) => {
  for (const texts of blankTexts) {
    const { status, json } = await kitchen.manage(`POST ${kind}`, record(texts));
    expect([texts, status, json.code, codesIn(json.errors ?? [])]).toEqual([
      texts,
      400,
      'validation_failed',
      [`${path} required`],
    ]);
  }
  const made = await kitchen.manage(`POST ${kind}`, record({ en: null, ar: '\u2003ذوق\n' }));
  expect([made.status, at(made.json, path)]).toEqual([201, { ar: 'ذوق' }]);
  const { id } = made.json;
  const put = await kitchen.manage(`PUT ${kind}/${id}`, record({ en: ' Zevk', ar: null }));
  expect([put.status, at(put.json, path)]).toEqual([200, { en: 'Zevk' }]);
  const cleared = await kitchen.manage(`PUT ${kind}/${id}`, record({ en: null }));
  expect([cleared.status, codesIn(cleared.json.errors)]).toEqual([400, [`${path} required`]]);
  await kitchen.manage(`DELETE ${kind}/${id}`);
});

it('a document is refused for localized names that show nothing, and null in it clears a language', async () => {
  const document = (names: object, texts: object = names): Document => ({
    version: 1,
    workspace: { id: kitchen.workspaceId, name: 'Names', languages: ['en', 'ar'], defaultLanguage: 'ar' },
    cms: { models: [{ id: 'tastes', name: names, fields: [fieldNamed(names)] }] },
    menu: {
      categories: [{ id: 'cat_names', slug: 'names', name: names, description: texts }],
      products: [productNamed(names, { id: 'prod_names', categoryId: 'cat_names' })],
    },
    forms: [{ id: 'form_names', slug: 'names', title: names, fields: [questionNamed(names)] }],
  });
  const { failures } = await importFile(document({ ar: '\u200f', en: null }));
  expect(failures.map(({ kind, path, code }) => [kind, path, code].join(' '))).toEqual([
    'cmsModel name required',
    'cmsModel fields.0.name required',
    'menuCategory name required',
    'menuProduct name required',
    'form title required',
    'form fields.0.title required',
  ]);
  expect((await importFile(document({ en: null, ar: ' ذوق' }, { en: null }))).failures).toEqual([]);
  const { json } = await kitchen.manage('GET menu-categories/cat_names');
  expect(json).toMatchObject({ name: { ar: 'ذوق' }, description: {} });
  expect((await kitchen.manage('GET cms-models/tastes')).json.fields[0].name).toEqual({ ar: 'ذوق' });
});

it('a patch that clears the last language of a name is refused; of a description it leaves no text', async () => {
  const texts = { name: { ar: 'شاي' }, description: { ar: 'أخضر' } };
  const { json } = await kitchen.manage('POST menu-categories', { slug: 'cay', ...texts });
  const refused = await kitchen.manage(`PATCH menu-categories/${json.id}`, { name: { ar: null } });
  expect([refused.status, codesIn(refused.json.errors)]).toEqual([400, ['name required']]);
  const patched = await kitchen.manage(`PATCH menu-categories/${json.id}`, {
    name: { en: 'Tea', ar: null },
    description: { ar: null },
  });
  expect(patched.json).toMatchObject({ name: { en: 'Tea' }, description: {} });
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
  await kitchen.manage('PATCH menu-products/prod_1', { categoryId: category.json.id, slug: decomposed });
  const key = kitchen.secretOf('all');
  const lists = ['products?categorySlugs', 'products?categorySlug', 'products?slug', 'categories?slug'];
  for (const list of lists) {
    for (const slug of [composed, decomposed]) {
      const { json } = await call(`GET /api/public/menu/${list}=${encodeURIComponent(slug)}&apiKey=${key}`, {});
      expect([list, json.data.map((found: { slug: string }) => found.slug)]).toEqual([list, [composed]]);
    }
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
