import { expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { fc, runs } from '#test/support/fast-check.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { testedKinds } from '#test/support/manage-kinds.ts';
import { noise } from '#test/support/noise.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('records');
const other = await openWorkspace('records');
const { manage } = kitchen;

type Json = Record<string, unknown>;
interface Row extends Json {
  readonly id: string;
  readonly action: string;
}
const rowsOf = async (path: string): Promise<Row[]> => (await manage(`GET ${path}/versions`)).json.data;
const restore = (path: string, version: string | undefined, headers = {}) =>
  manage(`POST ${path}/restore`, { version }, { headers });
const content = ({ updatedAt, ...rest }: Json): Json => rest;

const text = (key: string, more = {}) => ({ key, name: { en: key }, type: 'text', ...more });
const fields = [text('title', { localized: true }), text('secret', { hidden: true }), text('place')];
await manage('PUT cms-models/notes', { name: { en: 'Notes' }, fields });

const kinds = [
  ...testedKinds.filter(({ kind }) => !['customers', 'members'].includes(kind)),
  { kind: 'cms-models', fresh: (name: string) => ({ name: { en: name }, fields }), patch: { name: { ar: 'جديد' } } },
  {
    kind: 'cms-entries',
    fresh: () => ({ modelId: 'notes', values: { title: { en: 'One' }, secret: 'S' } }),
    patch: { values: { title: { ar: 'اثنان' }, secret: null } },
  },
];

it.each(kinds)('$kind: a former version comes back, also after a deletion, and the way back, too', async (tested) => {
  const { kind, fresh, patch } = tested;
  const path = `${kind}/${kind === 'cms-entries' ? 'notes/' : ''}restored`;
  await manage(`PUT ${path}`, fresh('restored'));
  const first = (await manage(`GET ${path}`)).json;
  await manage(`PATCH ${path}`, patch);
  const second = (await manage(`GET ${path}`)).json;
  const [patched, made] = await rowsOf(path);
  const back = await restore(path, made?.id);
  expect([back.status, content(back.json)]).toEqual([200, content(first)]);
  expect(back.headers['etag']).toBe((await manage(`GET ${path}`)).headers['etag']);
  expect((await rowsOf(path))[0]).toMatchObject({ action: 'restore', isCurrent: true });
  expect(content((await restore(path, patched?.id)).json)).toEqual(content(second));
  await manage(`DELETE ${path}`);
  const [deleted] = (await manage(`GET deleted?kind=${kind}`)).json.data;
  expect(deleted).toMatchObject({ kind, id: path.slice(kind.length + 1), version: (await rowsOf(path))[1]?.id });
  const again = await restore(path, deleted.version);
  expect([again.status, content(again.json)]).toEqual([201, content(second)]);
  expect(again.headers['location']).toBe(`/api/v1/manage/${path}`);
  expect((await manage(`GET deleted?kind=${kind}`)).json.data).toEqual([]);
  expect((await rowsOf(path)).map(({ action }) => action)).toEqual([
    'restore',
    'delete',
    'restore',
    'restore',
    'update',
    'create',
  ]);
});

it('a restore of the workspace takes effect at once, and keeps its id', async () => {
  await manage('PATCH workspace', { name: 'Renamed', languages: ['en', 'ar', 'fr'] });
  const [, before] = await rowsOf('workspace');
  const { status, json } = await restore('workspace', before?.id);
  expect([status, json.languages, json.id]).toEqual([200, ['en', 'ar'], kitchen.workspaceId]);
  expect(json.name).not.toBe('Renamed');
  expect((await manage('PUT forms/french', { slug: 'fr', title: { fr: 'Titre' } })).status).toBe(400);
});

it('a restore of what is stored is 200 and changes nothing', async () => {
  const path = 'agents/agent_1';
  await manage(`PATCH ${path}`, { name: 'Current' });
  const before = await manage(`GET ${path}`);
  const rows = await rowsOf(path);
  const { status, headers } = await restore(path, rows[0]?.id);
  expect([status, headers['etag']]).toEqual([200, before.headers['etag']]);
  expect(await rowsOf(path)).toEqual(rows);
});

it('a restore of what is stored changes nothing, also where rules have become stricter since', async () => {
  const path = 'cms-entries/strict/one';
  await manage('PUT cms-models/strict', { name: { en: 'Strict' }, fields: [...fields, text('day')] });
  await manage('PATCH workspace', { languages: ['en', 'ar', 'de'] });
  await manage(`PUT ${path}`, { values: { title: { en: 'Title', de: 'Titel' }, place: 'Here' } });
  await manage('PUT cms-models/strict', {
    name: { en: 'Strict' },
    fields: [...fields.slice(0, 2), text('day', { required: true })],
  });
  await manage('PATCH workspace', { languages: ['en', 'ar'] });
  const before = await manage(`GET ${path}`);
  const rows = await rowsOf(path);
  expect(rows[0]).toMatchObject({ isCurrent: true });
  expect((await restore(path, rows[0]?.id, { 'if-match': '"old"' })).status).toBe(412);
  const { status, text: body, headers } = await restore(path, rows[0]?.id);
  expect([status, body, headers['etag']]).toEqual([200, before.text, before.headers['etag']]);
  expect(await rowsOf(path)).toEqual(rows);
  await manage('PUT cms-models/strict', { name: { en: 'Strict' }, fields });
  expect((await manage(`GET ${path}`)).json.values.place).toBe('Here');
});

it('events say what a restore has done', async () => {
  const path = 'menu-products/prod_1';
  await manage(`PATCH ${path}`, { published: false });
  await manage(`PATCH ${path}`, { preparationTime: 7 });
  const since = new Date().toISOString();
  const [, unpublished, imported] = await rowsOf(path);
  await restore(path, unpublished?.id);
  await restore(path, imported?.id);
  await manage(`DELETE ${path}`);
  await restore(path, imported?.id);
  const { json } = await call(`GET /api/v1/events?after=${since}`, { key: kitchen.secretOf('all') });
  expect(json.data.map(({ type }: Json) => type)).toEqual(
    ['updated', 'published', 'deleted', 'created'].map((action) => `menu_product.${action}`),
  );
  const { json: audit } = await manage('GET audit-events?action=restore&limit=3');
  expect(audit.data.map(({ changed }: Json) => changed)).toEqual([[], ['published'], ['preparationTime']]);
});

it('checks If-Match, and repeats an Idempotency-Key', async () => {
  const path = 'forms/form_2';
  await manage(`PATCH ${path}`, { title: { en: 'Changed' } });
  const [changed, before] = await rowsOf(path);
  expect((await restore(path, before?.id, { 'if-match': '"old"' })).status).toBe(412);
  const { headers } = await manage(`GET ${path}`);
  const key = { 'idempotency-key': 'restore', 'if-match': headers['etag'] ?? '' };
  const first = await restore(path, before?.id, key);
  expect(first.status).toBe(200);
  expect((await restore(path, before?.id, key)).text).toBe(first.text);
  expect((await restore(path, changed?.id, key)).status).toBe(422);
  await manage(`DELETE ${path}`);
  expect((await restore(path, before?.id, { 'if-match': headers['etag'] ?? '' })).status).toBe(412);
  expect((await restore(path, before?.id, { 'if-match': '*' })).status).toBe(412);
});

it('refuses what is no version of the record, at version', async () => {
  await manage('PATCH agents/agent_2', { name: 'Two' });
  const [foreign] = await rowsOf('agents/agent_2');
  await manage('DELETE agents/agent_2');
  const [deletion] = await rowsOf('agents/agent_2');
  for (const [path, version] of [
    ['agents/agent_1', foreign?.id],
    ['agents/agent_2', deletion?.id],
    ['agents/agent_1', 'evt_000000000000000000000'],
    ['agents/agent_1', ''],
  ] as const)
    expect(issuesOf(await restore(path, version))).toEqual(['version not_found']);
  expect(issuesOf(await restore('agents/agent_1', undefined))).toEqual(['version required']);
  expect((await restore('agents/nobody', foreign?.id)).status).toBe(404);
  expect((await restore('customers/cus_1', foreign?.id)).status).toBe(404);
  expect((await other.manage('POST agents/agent_2/restore', { version: foreign?.id })).status).toBe(400);
});

it('names all faults against the databases, languages and names of today together, and stores nothing', async () => {
  const path = 'cms-entries/notes/faulty';
  await manage('PATCH workspace', { languages: ['en', 'ar', 'de'] });
  await manage(`PUT ${path}`, { values: { title: { de: 'Titel' }, place: 'Here' } });
  const [version] = await rowsOf(path);
  await manage(`PATCH ${path}`, { values: { title: { de: null, en: 'Title' }, place: null } });
  await manage('PATCH workspace', { languages: ['en', 'ar'] });
  await manage('PUT cms-models/notes', { name: { en: 'Notes' }, fields: fields.slice(0, 2) });
  const before = await manage(`GET ${path}`);
  const answer = await restore(path, version?.id);
  expect([answer.status, issuesOf(answer).sort()]).toEqual([
    400,
    ['values.place unknown_field', 'values.title.de not_allowed'],
  ]);
  expect((await manage(`GET ${path}`)).text).toBe(before.text);
});

it('keeps hidden values of a stored entry, and brings back those of a deleted one', async () => {
  const path = 'cms-entries/notes/hidden';
  const { json } = await manage('POST api-keys', {
    name: 'Editor',
    permissions: ['cms:entry:read', 'cms:entry:create', 'cms:entry:update', 'cms:entry:delete'],
  });
  const edit = (request: string, body?: object) => call(request, { key: json.secret, ...(body && { body }) });
  await manage(`PUT ${path}`, { values: { title: { en: 'A' }, secret: 'old' } });
  await manage(`PATCH ${path}`, { values: { title: { en: 'B' }, secret: 'new' } });
  const [, first] = await rowsOf(path);
  const address = `POST /api/v1/manage/${path}/restore`;
  expect((await edit(address, { version: first?.id })).json.values).toEqual({ title: { en: 'A' } });
  expect((await manage(`GET ${path}`)).json.values).toEqual({ title: { en: 'A' }, secret: 'new' });
  await manage(`DELETE ${path}`);
  expect((await edit(address, { version: first?.id })).status).toBe(201);
  expect((await manage(`GET ${path}`)).json.values).toEqual({ title: { en: 'A' }, secret: 'old' });
});

it('shows no former value of a field that was hidden then: a stored entry keeps its own', async () => {
  const hiding = [text('title'), text('secret', { hidden: true })];
  const showing = [text('title'), text('secret')];
  const path = 'cms-entries/shown/one';
  await manage('PUT cms-models/shown', { name: { en: 'Shown' }, fields: hiding });
  await manage(`PUT ${path}`, { values: { title: 'A', secret: 'old' } });
  const [first] = await rowsOf(path);
  await manage('PUT cms-models/shown', { name: { en: 'Shown' }, fields: showing });
  await manage(`PATCH ${path}`, { values: { title: 'B', secret: 'for all' } });
  const permissions = ['cms:entry:read', 'cms:entry:create', 'cms:entry:update'];
  const { json } = await manage('POST api-keys', { name: 'Editor', permissions });
  const body = { version: first?.id };
  const edit = () => call(`POST /api/v1/manage/${path}/restore`, { key: json.secret, body });
  expect((await edit()).json.values).toEqual({ title: 'A', secret: 'for all' });
  await manage(`DELETE ${path}`);
  expect((await edit()).json.values).toEqual({ title: 'A', secret: null });
  expect((await restore(path, first?.id)).json.values).toEqual({ title: 'A', secret: 'old' });
});

it('entries of a removed database are 404 until it is restored', async () => {
  await manage('PUT cms-models/short', { name: { en: 'Short' }, fields: [text('title')] });
  await manage('PUT cms-entries/short/one', { values: { title: 'One' } });
  const [version] = await rowsOf('cms-entries/short/one');
  await manage('DELETE cms-entries/short/one');
  await manage('DELETE cms-models/short');
  const ids = async () => (await manage('GET deleted')).json.data.map(({ id }: Row) => id);
  expect(await ids()).not.toContain('short/one');
  for (const request of ['GET cms-entries/short/one/versions', 'POST cms-entries/short/one/restore'])
    expect((await manage(request, request.startsWith('POST') ? { version: version?.id } : undefined)).status).toBe(404);
  const [model] = (await manage('GET deleted?kind=cms-models&limit=1')).json.data;
  expect((await restore('cms-models/short', model.version)).status).toBe(201);
  expect(await ids()).toContain('short/one');
  expect((await restore('cms-entries/short/one', version?.id)).status).toBe(201);
});

it('needs the permissions of PUT', async () => {
  const [version] = await rowsOf('menu-products/prod_1');
  const send = (key: string, path: string) =>
    call(`POST /api/v1/manage/${path}/restore`, { key, body: { version: version?.id } });
  expect((await send(kitchen.secretOf('menu:product:availability'), 'menu-products/prod_1')).status).toBe(403);
  expect((await send(kitchen.secretOf('workspace:settings:read'), 'workspace')).status).toBe(403);
  expect((await send(kitchen.secretOf('none'), 'forms/form_1')).status).toBe(403);
});

it('after any writes, each version is what GET answered then, and a restore makes it or is refused like a PUT', async () => {
  // The states of a product with the long text are in the bucket.
  const long = fc.constantFrom(null, null, { en: noise(40_000) });
  const write = fc.oneof(
    fc.record({
      verb: fc.constant('PATCH'),
      slug: fc.constantFrom('a', 'b'),
      name: fc.string({ minLength: 1, maxLength: 9 }),
      long,
    }),
    fc.record({
      verb: fc.constantFrom('PUT', 'DELETE'),
      slug: fc.constantFrom('a', 'b'),
      name: fc.constantFrom('x', 'ي'),
      long,
    }),
  );
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 2, maxLength: 6 }), fc.nat(), async (writes, chosen) => {
      const path = `menu-products/random_${++number}`;
      const taken = `${number}-a`;
      const seen: string[] = [];
      for (const { verb, slug, name, long: description } of writes) {
        const body = { slug: `${number}-${slug}`, name: { en: name }, categoryId: 'cat_1', description };
        const { status } = await manage(`${verb} ${path}`, verb === 'DELETE' ? undefined : body);
        const now = await manage(`GET ${path}`);
        if (status < 300 && status !== 204 && now.text !== seen.at(-1)) seen.push(now.text);
      }
      const versions = seen.length === 0 ? [] : (await rowsOf(path)).filter(({ action }) => action !== 'delete');
      const texts = versions.map(async ({ id }) => (await manage(`GET ${path}/versions/${id}`)).text);
      expect((await Promise.all(texts)).toReversed()).toEqual(seen);
      const version = versions[chosen % (versions.length || 1)];
      if (!version) return;
      // Another product has the slug of some versions.
      await manage(`PUT menu-products/holder_${number}`, { slug: taken, name: { en: 'H' }, categoryId: 'cat_1' });
      const wanted = (await manage(`GET ${path}/versions/${version.id}`)).json;
      const { createdAt, updatedAt, ...body } = wanted;
      const { status, json } = await restore(path, version.id);
      if (status < 300) expect(content({ ...json, createdAt })).toEqual(content(wanted));
      else expect(issuesOf({ json })).toEqual(issuesOf(await manage(`PUT ${path}`, body)));
    }),
    runs(isLongRun ? 150 : 50),
  );
});
