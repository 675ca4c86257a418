import { beforeAll, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, importFile, load } from '#test/support/world.ts';

const field = (ref: string, validations: object) => ({ id: ref, ref, title: { en: ref }, type: 'TEXT', validations });
const contradicting = field('code', { minLength: 5, maxLength: 3 });
const optionSet = (id: string, rest: object) => ({ id, name: { en: id }, min: 0, max: 1, options: [], ...rest });
const emptySet = optionSet('sauces', { max: 0 });
const nul = 'a\0b';

/** A document with records that break rules which are newer than they. */
const brokenDocument = (workspaceId: string): Document => ({
  version: 1,
  workspace: { id: workspaceId, name: 'Broken', languages: ['en', 'ar'], defaultLanguage: 'en' },
  members: [{ id: 'mem_old', name: nul, email: 'old@example.com' }],
  apiKeys: [{ id: 'key_old', name: nul, permissions: [] }],
  cms: {
    models: [
      {
        id: 'notes',
        name: { en: ' ' },
        fields: [
          { key: 'title', name: { en: 'Title' }, type: 'text', localized: true },
          { key: 'data', name: {}, type: 'json' },
        ],
      },
    ],
    entries: [{ id: 'note_1', modelId: 'notes', values: { title: { en: nul, ar: 'ب' }, data: { deep: [nul] } } }],
  },
  menu: {
    categories: [{ id: 'cat_1', slug: 'mains', name: { en: 'Mains' } }],
    products: [
      {
        id: 'prod_old',
        slug: 'old',
        name: {},
        description: { en: nul },
        categoryId: 'cat_1',
        optionSets: [emptySet],
        priceOptions: [
          { id: 'a', price: 1, default: true },
          { id: 'b', price: 2, default: true },
        ],
      },
    ],
  },
  forms: [{ id: 'form_old', slug: 'old', title: { ar: '\u200b' }, fields: [contradicting, field('name', {})] }],
});
const faults = [
  'member mem_old name format',
  'apiKey key_old name format',
  'cmsModel notes name required',
  'cmsModel notes fields.1.name required',
  'cmsEntry note_1 values.title.en format',
  'cmsEntry note_1 values.data format',
  'menuProduct prod_old name required',
  'menuProduct prod_old description.en format',
  'menuProduct prod_old optionSets.0.max not_allowed',
  'menuProduct prod_old priceOptions.1.default not_allowed',
  'form form_old title required',
  'form form_old fields.0.validations.minLength not_allowed',
].sort();
const inShort = (findings: readonly Document[]) =>
  findings.map(({ kind, id, path, code }: Document) => [kind, id, path, code].join(' ')).sort();

let kitchen: Workspace<'records'>;
const refusals = ({ status, json }: Document) => [status, json.errors?.map(({ path }: Document) => path)];
beforeAll(async () => {
  kitchen = await openWorkspace('records');
});

it('a document without the time of its export is refused for every fault by a newer rule', async () => {
  const { failures, warnings } = await importFile(brokenDocument(kitchen.workspaceId));
  expect([inShort(failures), warnings]).toEqual([faults, []]);
});

it('an export is imported as it is, with a warning for every fault by a newer rule', async () => {
  const document = { ...brokenDocument(kitchen.workspaceId), exportedAt: '2030-01-01T00:00:00.000Z' };
  const { warnings } = await load(document);
  expect(inShort(warnings)).toEqual(faults);
  const { json: product } = await kitchen.manage('GET menu-products/prod_old');
  expect(product).toMatchObject({ name: {}, description: { en: nul }, optionSets: [emptySet] });
  const { json: entry } = await kitchen.manage('GET cms-entries/notes/note_1');
  expect(entry.values).toEqual({ title: { en: nul, ar: 'ب' }, data: { deep: [nul] } });
  expect((await kitchen.manage('GET forms/form_old')).json.fields[0]).toMatchObject(contradicting);
  const shown = await call(`GET /api/public/forms/old?apiKey=${kitchen.secretOf('forms:form:read')}`, {});
  expect([shown.status, shown.json.fields[0]]).toEqual([200, expect.objectContaining(contradicting)]);
});

it.each([
  ['menu-products/prod_old', { slug: 'older' }],
  ['forms/form_old', { enabled: false }],
  ['cms-models/notes', { name: { en: 'Notes' } }],
  ['cms-entries/notes/note_1', { published: false }],
  ['cms-entries/notes/note_1', { values: { title: { ar: 'ت' } } }],
  ['members/mem_old', { active: false }],
  ['api-keys/key_old', { expiresAt: '2040-01-01T00:00:00.000Z' }],
])('a patch of %s leaves the faults in other members as they are', async (path, patch) => {
  expect(await kitchen.manage(`PATCH ${path}`, patch)).toMatchObject({ status: 200 });
});

it.each([
  'menu-products/prod_old',
  'cms-models/notes',
  'forms/form_old',
  'cms-entries/notes/note_1',
  'members/mem_old',
])('what GET answers of %s can be sent by PUT', async (path) => {
  const { json } = await kitchen.manage(`GET ${path}`);
  expect(await kitchen.manage(`PUT ${path}`, json)).toMatchObject({ status: 200 });
});

it('an unchanged item of a list keeps its fault beside new and changed items, wherever it moves', async () => {
  const fields = [field('first', { maxLength: 9 }), field('name', { required: true }), contradicting];
  const answer = await kitchen.manage('PATCH forms/form_old', { fields });
  expect([answer.status, answer.json.fields.length]).toEqual([200, 3]);
});

it.each<[string, object, string[]]>([
  ['menu-products/prod_old', { description: { en: nul, ar: nul } }, ['description.ar']],
  ['menu-products/prod_old', { name: { en: ' ' } }, ['name']],
  ['menu-products/prod_old', { optionSets: [{ ...emptySet, order: 2 }] }, ['optionSets.0.max']],
  ['menu-products/prod_old', { optionSets: [emptySet, optionSet('more', { max: 0 })] }, ['optionSets.1.max']],
  ['forms/form_old', { fields: [field('code', { minLength: 5, maxLength: 4 })] }, ['fields.0.validations.minLength']],
  ['cms-entries/notes/note_1', { values: { title: { en: `${nul}c` } } }, ['values.title.en']],
  ['cms-entries/notes/note_1', { values: { data: [nul] } }, ['values.data']],
  ['members/mem_old', { name: `${nul}c` }, ['name']],
  ['api-keys/key_old', { name: `${nul}c` }, ['name']],
])('a patch of %s to %j is refused for the faults that it makes', async (path, patch, paths) => {
  expect(refusals(await kitchen.manage(`PATCH ${path}`, patch))).toEqual([400, paths]);
});

it('a new record is refused for every fault by a newer rule', async () => {
  const { json } = await kitchen.manage('GET menu-products/prod_old');
  const copy = { ...json, id: 'prod_new', slug: 'new' };
  expect(refusals(await kitchen.manage('POST menu-products', copy))).toEqual([
    400,
    ['description.en', 'name', 'priceOptions.1.default', 'optionSets.0.max'],
  ]);
});
