import { expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { exported } from '#test/support/document-text.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import type { Document } from '#test/support/world.ts';

const field = (key: string, type: string, rest: object = {}) => ({ key, name: { en: key }, type, ...rest });
const stamp = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();
const change = (document: Document) => {
  document.cms = {
    models: [
      {
        id: 'notes',
        name: { en: 'Notes' },
        fields: [
          field('title', 'text', { localized: true, required: true }),
          field('data', 'json'),
          field('secret', 'text', { hidden: true }),
          field('next', 'relation', { relation: { to: 'cms:notes' } }),
          field('products', 'relation', { relation: { to: 'menu:product', many: true } }),
        ],
      },
    ],
    entries: [1, 2, 3, 4].map((number) => ({
      id: `note_${number}`,
      modelId: 'notes',
      published: number !== 4,
      createdAt: stamp(number),
      updatedAt: stamp(number),
      values: { title: { en: `Note ${number}`, ar: `مذكرة ${number}` }, secret: `s${number}`, next: 'note_1' },
    })),
  };
  document.apiKeys.push({
    id: 'key_editor',
    name: 'Editor',
    secret: `editor-${document.workspace.id}`,
    permissions: ['cms:entry:read', 'cms:entry:create', 'cms:entry:update', 'cms:entry:delete'],
  });
};
const toPut = ['cms:entry:read', 'cms:entry:create', 'cms:entry:update'];
const kitchen = await openWorkspace('records', (document) => {
  change(document);
  for (const [index, lacking] of toPut.entries()) {
    const permissions = toPut.filter((permission) => permission !== lacking);
    const secret = `without-${lacking}-${document.workspace.id}`;
    document.apiKeys.push({ id: `key_put_${index}`, name: lacking, secret, permissions });
  }
});
const other = await openWorkspace('records');
const { manage } = kitchen;
/** Sends with a key that sees neither drafts nor hidden fields. */
const edit = (request: string, body?: unknown, headers: Record<string, string> = {}) =>
  manage(request, body, { key: `editor-${kitchen.workspaceId}`, headers });
const stored = async (id: string) =>
  (await exported(kitchen.workspaceId)).cms.entries.find((entry: Document) => entry.id === id);
const reader = kitchen.secretOf('cms:entry:read');
const listed = async () => {
  const { json, headers } = await call('GET /api/public/cms/notes/list?maxDepth=0&fields=id', { key: reader });
  return [headers['x-cms-total'], json.map(({ id }: Document) => id)];
};

it('/manage/cms-entries returns an entry in the form of a document, with hidden fields for callers with the permission', async () => {
  const { status, json, headers } = await manage('GET cms-entries/notes/note_1');
  expect(status).toBe(200);
  expect(json).toEqual(await stored('note_1'));
  const seen = await edit('GET cms-entries/notes/note_1');
  expect(seen.json).toEqual({ ...json, values: expect.not.objectContaining({ secret: expect.anything() }) });
  const update = await call('GET /api/public/cms/notes/note_1', { key: reader });
  expect(update.headers['etag']).toBe(headers['etag']);
});

it('/manage/cms-entries returns 404 for an absent entry, for drafts without the permission, and for another workspace', async () => {
  for (const path of ['notes/nothing', 'nothing/note_1', 'notes', 'notes/note_1/x', 'notes/list']) {
    expect((await manage(`GET cms-entries/${path}`)).json).toMatchObject({ code: 'not_found' });
  }
  expect((await manage('GET cms-entries/notes/note_4')).status).toBe(200);
  expect((await edit('GET cms-entries/notes/note_4')).status).toBe(404);
  expect((await other.manage('GET cms-entries/notes/note_1')).status).toBe(404);
});

it('/manage/cms-entries creates and replaces an entry, which lists and totals show immediately', async () => {
  const body = { createdAt: stamp(9), values: { title: { en: 'New' }, data: { a: [1] }, products: ['prod_1'] } };
  const made = await edit('PUT cms-entries/notes/note_9', body);
  expect(made.status).toBe(201);
  expect(made.headers['location']).toBe('/api/v1/manage/cms-entries/notes/note_9');
  expect(made.json).toMatchObject({ id: 'note_9', modelId: 'notes', published: true, values: { data: { a: [1] } } });
  expect(await listed()).toEqual(['4', ['note_9', 'note_3', 'note_2', 'note_1']]);
  const products = await call(
    `GET /api/public/menu/products?apiKey=${kitchen.secretOf('all')}&ids=prod_1&published=true`,
  );
  expect(products.json.data[0].cmsData.notes.map(({ id }: Document) => id)).toEqual(['note_9']);
  const same = await edit('PUT cms-entries/notes/note_9', body);
  expect([same.status, same.headers['etag']]).toEqual([200, made.headers['etag']]);
  const changed = await edit('PUT cms-entries/notes/note_9', { ...body, published: false });
  expect(changed.json).toMatchObject({ published: false, createdAt: stamp(9) });
  expect(await listed()).toEqual(['3', ['note_3', 'note_2', 'note_1']]);
  expect(await stored('note_9')).toMatchObject({ published: false, values: { title: { en: 'New' } } });
  // The caller who has unpublished the entry cannot see it, but its id is taken.
  for (const request of ['PUT cms-entries/notes/note_9', 'POST cms-entries']) {
    const refused = await edit(request, { id: 'note_9', modelId: 'notes', ...body });
    expect([refused.status, refused.json.code]).toEqual([409, 'already_exists']);
  }
});

it('/manage/cms-entries keeps values that the caller cannot see', async () => {
  const before = await stored('note_2');
  expect((await edit('PUT cms-entries/notes/note_2', { values: { title: { en: 'Two' } } })).status).toBe(200);
  const after = await stored('note_2');
  expect(after.values).toMatchObject({ title: { en: 'Two' }, secret: 's2', next: null });
  expect(after.createdAt).toBe(before.createdAt);
  const refused = await edit('PUT cms-entries/notes/note_2', { values: { title: { en: 'Two' }, secret: 'x' } });
  expect(refused.json.errors).toEqual([expect.objectContaining({ path: 'values.secret', code: 'unknown_field' })]);
  const cleared = await edit('PATCH cms-entries/notes/note_2', { values: { secret: null, nope: null, data: null } });
  expect([cleared.status, issuesOf(cleared)]).toEqual([
    400,
    ['values.secret unknown_field', 'values.nope unknown_field'],
  ]);
  expect((await stored('note_2')).values.secret).toBe('s2');
});

it('/manage/cms-entries checks an entry like an import, and returns all errors', async () => {
  const values = { title: { de: 'x' }, nope: 1, data: 1, products: 'prod_1' };
  const { status, json } = await manage('PUT cms-entries/notes/note_8', { id: 'other', published: 'yes', values });
  expect([status, json.code]).toEqual([400, 'validation_failed']);
  expect(issuesOf({ json }).sort()).toEqual([
    'id not_allowed',
    'published type',
    'values.nope unknown_field',
    'values.products type',
    'values.title.de not_allowed',
  ]);
  expect((await manage('PUT cms-entries/nothing/x', { values: {} })).status).toBe(404);
  expect((await manage('PUT cms-entries/notes/list', { values })).status).toBe(400);
});

it('/manage/cms-entries names each relation to absent records one time; a later write may create them', async () => {
  const products = ['prod_1', 'prod_gone', 'prod_gone_too'];
  const body = { values: { title: { en: 'A' }, next: 'gone', products } };
  const { status, headers } = await manage('PUT cms-entries/notes/note_7', body);
  expect([status, headers['x-missing-references']]).toEqual([201, 'values.next, values.products']);
});

it.each(['cms:entry:read', 'cms:entry:create', 'cms:entry:update'])(
  '/manage/cms-entries requires %s to put an entry, whether it exists or not',
  async (lacking) => {
    for (const id of ['note_1', 'note_new']) {
      const body = { values: { title: { en: 'x' } } };
      const key = `without-${lacking}-${kitchen.workspaceId}`;
      const { status, json } = await call(`PUT /api/v1/manage/cms-entries/notes/${id}`, { key, body });
      expect([status, json.message]).toEqual([403, `This API key lacks the permission ${lacking}.`]);
    }
  },
);

it('/manage/cms-entries checks conditions and Idempotency-Keys', async () => {
  const put = (headers: Record<string, string>, title = 'x') =>
    edit('PUT cms-entries/notes/note_3', { values: { title: { en: title } } }, headers);
  expect((await put({ 'if-match': '"other"' })).status).toBe(412);
  expect((await put({ 'if-none-match': '*' })).status).toBe(412);
  const { headers } = await edit('GET cms-entries/notes/note_3');
  const first = await put({ 'if-match': headers['etag'] ?? '', 'idempotency-key': 'entry' });
  expect(first.status).toBe(200);
  await put({}, 'y');
  expect((await put({ 'if-match': headers['etag'] ?? '', 'idempotency-key': 'entry' })).text).toBe(first.text);
  expect((await put({ 'idempotency-key': 'entry' }, 'z')).json.code).toBe('idempotency_key_reused');
});

it('/manage/cms-entries records an audit event that names paths and no values', async () => {
  await manage('PUT cms-entries/notes/note_1', {
    values: { title: { en: 'Other', ar: 'مذكرة 1' }, next: 'note_1', secret: 's1' },
  });
  const { listEvents } = await import('#lib/access/audit-log.ts');
  const { testTable } = await import('#test/support/world.ts');
  const filter = { recordKind: 'cms-entries', recordId: 'notes/note_1' };
  const { data: events } = await listEvents(testTable(), kitchen, { ...filter, limit: 5 });
  expect(events).toEqual([expect.objectContaining({ action: 'update', changed: ['values.title.en'] })]);
});

it('/manage/cms-entries lists entries newest first, page by page, each one time, and finds words', async () => {
  const walk = async (ask: (request: string) => ReturnType<typeof manage>, query: string) => {
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { status, json } = await ask(`GET cms-entries?modelId=notes&limit=2${query}${cursor}`);
      expect(status).toBe(200);
      expect(json.data.length).toBeLessThanOrEqual(2);
      ids.push(...json.data.map(({ id }: Document) => id));
      if (json.next === null) return ids;
      cursor = `&cursor=${encodeURIComponent(json.next)}`;
    }
  };
  const { cms } = await exported(kitchen.workspaceId);
  const newest = cms.entries.map(({ id }: Document) => id).reverse();
  const published = (ids: string[]) => ids.filter((id) => !['note_4', 'note_9'].includes(id));
  expect((await walk(manage, '')).toSorted()).toEqual(newest.toSorted());
  expect((await walk(edit, '')).toSorted()).toEqual(published(newest).toSorted());
  expect(await walk(manage, '&published=false')).toEqual(['note_9', 'note_4']);
  expect(await walk(manage, '&q=مذكره%20٤')).toEqual(['note_4']);
  expect(await walk(edit, '&q=مذكره%20٤')).toEqual([]);
  const { json } = await manage('GET cms-entries?modelId=notes&limit=1&published=false');
  expect(json.data).toEqual([(await manage('GET cms-entries/notes/note_9')).json]);
  const hidden = await edit('GET cms-entries?modelId=notes');
  for (const { values } of hidden.json.data) expect(values).not.toHaveProperty('secret');
});

it('/manage/cms-entries lists entries by the parameters of public lists', async () => {
  const ids = async (query: string) =>
    (await manage(`GET cms-entries?modelId=notes&${query}`)).json.data.map(({ id }: Document) => id);
  const values = { title: { en: 'Zulu', ar: 'ألف' } };
  await manage('PUT cms-entries/notes/by_name', { values });
  expect((await ids('sort=-title&limit=1'))[0]).toBe('by_name');
  expect((await ids('sort=title&locale=ar&limit=1'))[0]).toBe('by_name');
  expect(await ids('filter[title]=Zulu')).toEqual(['by_name']);
  expect(await ids('filter[title]=Zulu&locale=ar')).toEqual([]);
  expect(await ids('search=zulu')).toEqual(['by_name']);
  expect(await ids('search=zulu&q=nothing')).toEqual([]);
  const { json } = await manage('GET cms-entries?modelId=notes&filter[title]=Zulu&locale=en');
  expect(json.data[0].values.title).toEqual(values.title);
  const first = await manage('GET cms-entries?modelId=notes&sort=title&limit=1');
  const foreign = await manage(`GET cms-entries?modelId=notes&sort=title&limit=1&locale=ar&cursor=${first?.json.next}`);
  expect([foreign.status, foreign.json.errors[0].path]).toEqual([400, 'cursor']);
  for (const query of ['locale=de', 'filter[nothing]=1', 'sort=data']) {
    expect([query, (await manage(`GET cms-entries?modelId=notes&${query}`)).status]).toEqual([query, 400]);
  }
  await manage('DELETE cms-entries/notes/by_name');
});

it('/manage/cms-entries refuses lists without a database, of an unknown one, and drafts without the permission', async () => {
  expect((await manage('GET cms-entries')).json.errors[0]).toMatchObject({ path: 'modelId', code: 'required' });
  expect((await manage('GET cms-entries?modelId=nothing')).status).toBe(404);
  expect((await edit('GET cms-entries?modelId=notes&published=false')).status).toBe(403);
  expect((await manage('GET cms-entries?modelId=notes&cursor=x')).json.code).toBe('invalid_query');
  expect((await manage('GET cms-entries?modelId=notes&limit=101')).status).toBe(400);
  const all = await manage('GET cms-entries?modelId=notes&limit=101&filter[nothing]=1&sort=data&locale=de');
  expect([all.status, all.json.code, issuesOf(all)]).toEqual([
    400,
    'invalid_query',
    ['limit max', 'locale not_allowed', 'filter[nothing] unknown_field', 'sort not_filterable'],
  ]);
});

it('/manage/cms-entries creates an entry with the id of the body, patches it, and removes it', async () => {
  const total = async () => (await listed())[0];
  const before = Number(await total());
  const made = await edit('POST cms-entries', { modelId: 'notes', values: { title: { en: 'Made', ar: 'صنع' } } });
  expect(made.status).toBe(201);
  const path = `cms-entries/notes/${made.json.id}`;
  expect(made.headers['location']).toBe(`/api/v1/manage/${path}`);
  const again = await edit('POST cms-entries', { ...made.json });
  expect([again.status, again.json.code]).toEqual([409, 'already_exists']);
  const patched = await edit(`PATCH ${path}`, { values: { title: { ar: null }, data: [1, { a: null }] } });
  expect(patched.json.values).toMatchObject({ title: { en: 'Made' }, data: [1, { a: null }] });
  expect(patched.json.updatedAt > made.json.updatedAt).toBe(true);
  expect((await edit(`PATCH ${path}`, { values: { title: null } })).json.errors[0]).toMatchObject({
    path: 'values.title',
    code: 'required',
  });
  const stale = await edit(`DELETE ${path}`, undefined, { 'if-match': made.headers['etag'] ?? '' });
  expect([stale.status, Number(await total())]).toEqual([412, before + 1]);
  const removed = await edit(`DELETE ${path}`);
  expect([removed.status, removed.text, Number(await total())]).toEqual([204, '', before]);
  expect((await edit(`DELETE ${path}`)).status).toBe(404);
  expect((await edit('PATCH cms-entries/notes/note_4', { published: true })).status).toBe(404);
  const orphan = await edit('POST cms-entries', { modelId: 'nothing', values: {} });
  expect(orphan.json.errors).toEqual([expect.objectContaining({ path: 'modelId', code: 'not_found' })]);
});

it('/manage/cms-entries removes an entry that others relate to, as a document may name it, too', async () => {
  await edit('PUT cms-entries/notes/target', { values: { title: { en: 'T' } } });
  await edit('PUT cms-entries/notes/source', { values: { title: { en: 'S' }, next: 'target' } });
  expect((await edit('DELETE cms-entries/notes/target')).status).toBe(204);
  const { json } = await call('GET /api/public/cms/notes/source', { key: reader });
  expect(json.next).toBeNull();
});

it('/manage/cms-entries carries out many changes of entries and databases', async () => {
  const values = { title: { en: 'Bulk' } };
  const { status, json } = await manage('POST changes', {
    changes: [
      { method: 'POST', kind: 'cms-entries', record: { id: 'bulk_1', modelId: 'notes', values } },
      { method: 'PATCH', kind: 'cms-entries', id: 'notes/bulk_1', record: { published: false } },
      { method: 'DELETE', kind: 'cms-entries', id: 'bulk_1' },
      { method: 'DELETE', kind: 'cms-models', id: 'notes' },
    ],
  });
  expect(status).toBe(200);
  expect(json.results.map((result: Document) => [result.status, result.id])).toEqual([
    [201, 'notes/bulk_1'],
    [200, 'notes/bulk_1'],
    [404, 'bulk_1'],
    [409, 'notes'],
  ]);
});
