import { expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, importFile } from '#test/support/world.ts';

const languages = ['en', 'zh-Hant-TW', 'sr-latn', 'pt-BR'];
const field = (key: string, type: string, rest: object = {}) => ({ key, name: { en: key }, type, ...rest });
const models = [
  {
    id: 'notes',
    name: { EN: 'Notes' },
    fields: [
      field('title', 'text', { localized: true }),
      field('photo', 'media'),
      field('photos', 'media', { many: true }),
    ],
  },
];
const kitchen = await openWorkspace('records', (document) => {
  document.workspace = { ...document.workspace, languages, defaultLanguage: 'ZH-HANT-TW' };
  document.members[0].permissions.push('messaging:conversation:engage', 'messaging:conversation:read');
  document.members[0].language = 'AR';
  for (const product of document.menu.products) product.name = { En: product.slug };
  document.cms = {
    models,
    entries: [{ id: 'note_1', modelId: 'notes', values: { title: { 'ZH-hant-tw': '筆記', 'SR-Latn': 'Beleška' } } }],
  };
  document.messaging.agents = [{ id: 'agent_1', name: 'Agent', language: 'PT-br' }];
  document.messaging.conversations = [
    { id: 'conv_1', language: 'SR-LATN', createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
  ];
  document.forms[0].title = { 'pt-br': 'Contato' };
});
const { manage, secretOf } = kitchen;
const image = (alt: object) => ({ id: 'img_1', url: '/a.png', alt, width: null, height: null });
const codesIn = (issues: readonly Document[] = []) => issues.map(({ path, code }) => `${path} ${code}`);
const refusal = ({ status, json }: Document) => [status, ...codesIn(json.errors)];

it('a document is stored with the spelling of its workspace, wherever it names a language', async () => {
  expect((await manage('GET workspace')).json).toMatchObject({ languages, defaultLanguage: 'zh-Hant-TW' });
  expect((await manage('GET cms-models/notes')).json.name).toEqual({ en: 'Notes' });
  expect((await manage('GET cms-entries/notes/note_1')).json.values.title).toEqual({
    'zh-Hant-TW': '筆記',
    'sr-latn': 'Beleška',
  });
  expect((await manage('GET menu-products/prod_1')).json.name).toEqual({ en: 'dish-1' });
  expect((await manage('GET agents/agent_1')).json.language).toBe('pt-BR');
  const { json } = await call('GET /api/v1/connect/conversations/conv_1', { key: secretOf('member') });
  expect(json.language).toBe('sr-latn');
});

it('a document names no language twice in one object, in whatever cases', async () => {
  const twice = { 'PT-br': 'Chá', 'pt-BR': 'Chá' };
  const { failures } = await importFile({
    version: 1,
    workspace: { id: kitchen.workspaceId, name: 'Twice', languages, defaultLanguage: 'EN' },
    cms: {
      models: [{ ...models[0], name: twice }],
      entries: [{ id: 'note_2', modelId: 'notes', values: { title: twice, photo: image(twice) } }],
    },
    menu: { categories: [{ id: 'cat_2', slug: 'cha', name: { en: 'Tea' }, description: { ...twice, EN: 'a' } }] },
    forms: [{ id: 'form_2', slug: 'cha', title: { en: 'Tea', EN: null } }],
  });
  expect(failures.map(({ kind, path, code }) => [kind, path, code].join(' '))).toEqual([
    'cmsModel name.pt-BR duplicate',
    'cmsEntry values.title.pt-BR duplicate',
    'cmsEntry values.photo duplicate',
    'menuCategory description.pt-BR duplicate',
    'form title.EN duplicate',
  ]);
});

it('an export with a language twice in one object is imported with a warning, and read in the right spelling', async () => {
  const { failures, warnings } = await importFile({
    version: 1,
    exportedAt: '2030-01-01T00:00:00.000Z',
    workspace: { id: kitchen.workspaceId, name: 'Twice', languages, defaultLanguage: 'en' },
    cms: { entries: [{ id: 'note_old', modelId: 'notes', values: { photo: image({ EN: 'Tea', eN: 'Other' }) } }] },
    menu: { categories: [{ id: 'cat_old', slug: 'velho', name: { 'PT-BR': 'Chá', 'pt-br': 'Outro', 'Pt-Br': 'x' } }] },
  });
  expect([failures, codesIn(warnings)]).toEqual([
    [],
    ['values.photo duplicate', 'name.pt-br duplicate', 'name.Pt-Br duplicate'],
  ]);
  expect((await manage('GET menu-categories/cat_old')).json.name).toEqual({ 'pt-BR': 'Chá' });
  expect((await manage('GET cms-entries/notes/note_old')).json.values.photo.alt).toEqual({ en: 'Tea' });
  const renamed = await manage('PATCH menu-categories/cat_old', { slug: 'antigo' });
  expect([renamed.status, renamed.json.name]).toEqual([200, { 'pt-BR': 'Chá' }]);
});

it.each<[string, object, string, (texts: object) => object]>([
  ['menu-products', { slug: 'mate', categoryId: 'cat_1' }, 'name', (name) => ({ name })],
  ['menu-categories', { slug: 'bebidas', name: { en: 'Drinks' } }, 'description', (description) => ({ description })],
  ['forms', { slug: 'pedido' }, 'title', (title) => ({ title })],
  ['cms-models', {}, 'name', (name) => ({ name })],
  ['cms-entries', { modelId: 'notes' }, 'values.title', (title) => ({ values: { title } })],
  [
    'cms-entries',
    { modelId: 'notes' },
    'values.photos.0.alt',
    (alt) => ({ values: { title: { en: 'T' }, photos: [image(alt)] } }),
  ],
])('management of %s %j takes any case in %s, and stores one text for each language', async (kind, rest, path, of) => {
  const at = (record: unknown) =>
    path.split('.').reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], record);
  const isEntry = kind === 'cms-entries';
  const made = await manage(`POST ${kind}`, { ...rest, ...of({ 'SR-LATN': 'prvi', 'zh-hant-TW': '一' }) });
  expect([made.status, at(made.json)]).toEqual([201, { 'sr-latn': 'prvi', 'zh-Hant-TW': '一' }]);
  const address = `${kind}/${isEntry ? 'notes/' : ''}${made.json.id}`;
  const patched = await manage(`PATCH ${address}`, of({ 'Sr-Latn': 'drugi', 'Pt-bR': 'dois', 'zh-HANT-tw': null }));
  const isList = path.includes('.0.');
  expect([patched.status, at(patched.json)]).toEqual([200, { 'sr-latn': 'drugi', 'pt-BR': 'dois' }]);
  const again = await manage(`PATCH ${address}`, of({ 'SR-latn': 'drugi', ...(isList && { 'pt-br': 'dois' }) }));
  expect(again.headers['etag']).toBe(patched.headers['etag']);
  const twice = await manage(`PATCH ${address}`, of({ 'sr-latn': 'a', 'sr-LATN': 'b' }));
  expect(refusal(twice)).toEqual([400, `${isList ? 'values.photos' : `${path}.sr-LATN`} duplicate`]);
  expect(refusal(await manage(`PATCH ${address}`, of({ 'sr-Cyrl': 'a' })))[0]).toBe(400);
  await manage(`DELETE ${address}`);
});

it('an update of an entry merges a language in any case into the stored one', async () => {
  const update = (values: object) =>
    call('PATCH /api/public/cms/notes/note_1', { key: secretOf('all'), body: { values } });
  const { json } = await update({ title: { 'Zh-Hant-Tw': '新', 'SR-LATN': null } });
  expect(json.title).toEqual({ 'zh-Hant-TW': '新' });
  expect(refusal(await update({ title: { 'pt-br': 'a', 'pt-BR': null } }))).toEqual([
    400,
    'values.title.pt-BR duplicate',
  ]);
  const shown = await call('GET /api/public/cms/notes/note_1?locale=ZH-HANT-TW&fallback=PT-br', {
    key: secretOf('all'),
  });
  expect([shown.json.title, shown.headers['content-language']]).toEqual(['新', 'zh-Hant-TW']);
});

it('conversations and agents take a language in any case, and answer it as the workspace spells it', async () => {
  const connect = (request: string, body: object) => call(request, { key: secretOf('member'), body });
  const customer = { externalId: 'visitor-1' };
  const opened = await connect('POST /api/v1/connect/conversations', {
    channelIdentifier: 'cha.example.com',
    customer,
    language: 'PT-BR',
  });
  expect([opened.status, opened.json.language]).toEqual([201, 'pt-BR']);
  const path = `/api/v1/connect/conversations/${opened.json.id}`;
  expect((await connect(`PATCH ${path}`, { language: 'zh-HANT-tw' })).json.language).toBe('zh-Hant-TW');
  expect(refusal(await connect(`PATCH ${path}`, { language: 'pt-PT' }))).toEqual([400, 'language not_allowed']);
  expect((await connect(`PATCH ${path}`, { language: null })).json.language).toBeNull();
  expect((await manage('PATCH agents/agent_1', { language: 'Sr-LATN' })).json.language).toBe('sr-latn');
  expect((await manage('PUT agents/agent_1', { name: 'Agent', language: 'EN' })).json.language).toBe('en');
});

it('the language of a member may be in any case', async () => {
  const path = `members/${kitchen.document.members[0].id}`;
  expect((await manage(`GET ${path}`)).json.language).toBe('ar');
  expect((await manage(`PATCH ${path}`, { language: 'EN' })).json.language).toBe('en');
  expect(refusal(await manage(`PATCH ${path}`, { language: 'PT-BR' }))).toEqual([400, 'language not_allowed']);
});

it('a workspace names each language once, and keeps its spelling', async () => {
  const patch = (body: object) => manage('PATCH workspace', body);
  expect(refusal(await patch({ languages: [...languages, 'PT-br'] }))).toContain('languages duplicate');
  expect(refusal(await patch({ languages: ['EN', 'zh-Hant-TW', 'SR-Latn', 'pt-BR'] }))).toEqual([
    400,
    'languages.0 not_allowed',
    'languages.2 not_allowed',
  ]);
  expect(refusal(await patch({ defaultLanguage: 'sr-Cyrl' }))).toEqual([400, 'defaultLanguage not_allowed']);
  expect((await patch({ defaultLanguage: 'PT-BR' })).json.defaultLanguage).toBe('pt-BR');
  const { failures } = await importFile({
    version: 1,
    workspace: { id: kitchen.workspaceId, name: 'Spelled', languages: ['En', 'fr-CA'], defaultLanguage: 'FR-ca' },
  });
  expect(codesIn(failures)).toEqual(['languages.0 not_allowed']);
});
