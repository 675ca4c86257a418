import { beforeAll, describe, expect, it } from '@jest/globals';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { importFile } from '#test/support/world.ts';

let kitchen: Workspace<'records'>;
beforeAll(async () => {
  kitchen = await openWorkspace('records');
});

const product = { slug: 'kunafa', name: { ar: 'كنافة' }, categoryId: 'cat_1' };
const duplicate = (path: string) => [expect.objectContaining({ path, code: 'duplicate' })];

describe('a list in which an item has no second meaning', () => {
  it.each([
    ['menu-products', { ...product, suggestions: ['prod_1', 'prod_2', 'prod_1'] }, 'suggestions.2'],
    ['menu-products', { ...product, nutritionFacts: { allergens: ['MILK', 'MILK'] } }, 'nutritionFacts.allergens.1'],
    ['menu-products', { ...product, nutritionFacts: { dietary: ['a', 'b', 'b'] } }, 'nutritionFacts.dietary.2'],
    ['agents', { name: 'Mint', tools: ['get_form', 'search_cms', 'get_form'] }, 'tools.2'],
    ['agents', { name: 'Mint', databases: ['notes', 'notes'] }, 'databases.1'],
    ['api-keys', { name: 'Till', permissions: ['cms:entry:read', 'cms:entry:read'] }, 'permissions.1'],
    ['members', { name: 'Amal', permissions: ['cms:entry:read', 'cms:entry:read'] }, 'permissions.1'],
  ])('refuses it in %s the second time: %j', async (kind, record, path) => {
    const { status, json } = await kitchen.manage(`POST ${kind}`, record);
    expect([status, json.errors]).toEqual([400, duplicate(path)]);
  });
});

it.each([
  [
    'menu-products',
    { ...product, slug: 'twice' },
    { suggestions: ['prod_1', 'prod_2'] },
    { suggestions: ['prod_2', 'prod_1', 'prod_1'] },
  ],
  ['agents', { name: 'Sage' }, { tools: ['get_form'] }, { tools: ['get_form', 'get_form'] }],
  ['api-keys', { name: 'Till' }, { permissions: ['cms:entry:read'] }, { permissions: Array(2).fill('cms:entry:read') }],
])('a change of %s is refused that names a stored item a second time', async (kind, record, stored, twice) => {
  const { json } = await kitchen.manage(`POST ${kind}`, { ...record, ...stored });
  const { status, json: refused } = await kitchen.manage(`PATCH ${kind}/${json.id}`, twice);
  const [[member, items]] = Object.entries<string[]>(twice) as [[string, string[]]];
  expect([status, refused.errors]).toEqual([400, duplicate(`${member}.${items.length - 1}`)]);
});

it('a document is refused for a product that suggests another twice, and an export is not', async () => {
  const document = {
    version: 1,
    workspace: { id: kitchen.workspaceId, name: 'Twice', languages: ['en', 'ar'], defaultLanguage: 'en' },
    menu: { products: [{ id: 'prod_9', ...product, suggestions: ['prod_1', 'prod_1'] }] },
  };
  const refused = await importFile(document);
  expect(refused.failures.map(({ path, code }) => `${path} ${code}`)).toEqual(['suggestions.1 duplicate']);
  const exported = await importFile({ ...document, exportedAt: '2026-01-01T00:00:00.000Z' });
  expect(exported.failures).toEqual([]);
  const patched = await kitchen.manage('PATCH menu-products/prod_9', { soldout: true });
  expect([patched.status, patched.json.suggestions]).toEqual([200, ['prod_1', 'prod_1']]);
  const thrice = await kitchen.manage('PATCH menu-products/prod_9', { suggestions: Array(3).fill('prod_1') });
  expect([thrice.status, thrice.json.errors]).toEqual([400, duplicate('suggestions.2')]);
});

it('a hostile list is compared with a long stored one in one pass', async () => {
  const suggestions = Array.from({ length: 15_000 }, (_, index) => `gone_${index}`);
  const { json } = await kitchen.manage('POST menu-products', { ...product, slug: 'long', suggestions });
  const many = Array(30_000).fill('gone_1');
  const refused = await kitchen.manage(`PATCH menu-products/${json.id}`, { suggestions: many });
  expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('29999 issues')]);
});
