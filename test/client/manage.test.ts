import { beforeAll, expect, it } from '@jest/globals';
import { WorkspaceClient } from '#lib/client/client.ts';
import { demoKeys } from '#test/support/demo-workspace.ts';
import { png } from '#test/support/image-files.ts';
import { openTarget } from '#test/support/target.ts';

let client: WorkspaceClient;
beforeAll(async () => {
  client = new WorkspaceClient({ baseUrl: (await openTarget()).url, apiKey: demoKeys.editor });
});

it('an entry is read and changed by its id and that of its database', async () => {
  const { cmsEntries } = client.manage;
  const id = 'chefs/chef_sara';
  const before = await cmsEntries.get(id);
  expect(before.record).toMatchObject({ id: 'chef_sara', modelId: 'chefs' });
  const { record, etag } = await cmsEntries.update(id, { published: true }, { ifMatch: before.etag });
  expect([record.id, etag]).toEqual(['chef_sara', before.etag]);
  const page = await cmsEntries.list({ modelId: 'chefs', limit: 2, filter: { id: { in: 'chef_sara' } } });
  expect(page).toMatchObject({ data: [{ id: 'chef_sara' }], next: null });
});

it('an image is stored in one step, or announced, sent and confirmed, and deleted', async () => {
  const data = new Uint8Array(png());
  const stored = await client.media.upload({ name: 'a.png', type: 'image/png', data });
  expect(stored).toMatchObject({ id: expect.any(String), alt: null });
  expect((await fetch(stored.url)).status).toBe(200);
  const announced = await client.media.announce({ name: 'b.png', type: 'image/png', size: data.length });
  await expect(client.media.confirm(announced.id)).rejects.toMatchObject({ status: 409 });
  const { url, method, headers } = announced.upload;
  const { 'content-length': _, ...sent } = headers;
  expect((await fetch(url, { method, headers: sent, body: data })).status).toBe(200);
  const confirmed = await client.media.confirm(announced.id);
  expect(confirmed).toEqual({ ...stored, id: announced.id, url: announced.url });
  for (const { id, url: shown } of [stored, confirmed]) {
    await client.media.delete(id);
    expect((await fetch(shown)).status).toBe(404);
    await expect(client.media.delete(id)).rejects.toMatchObject({ status: 404 });
  }
  await expect(client.media.confirm('..')).rejects.toThrow(RangeError);
});

it('a webhook is made with its secret, and rotated, each with one call', async () => {
  const sent: unknown[] = [];
  const { manage } = new WorkspaceClient({
    baseUrl: 'https://api.example',
    apiKey: 'key',
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      const isKeyed = headers.has('idempotency-key');
      sent.push([init?.method, new URL(String(input)).pathname, JSON.parse(String(init?.body)), isKeyed]);
      return Response.json({ id: 'wh_1', secret: 'whsec_1' }, { headers: { etag: '"1"' } });
    },
  });
  const body = { url: 'https://hooks.example.com', types: ['form_response.created'], apiKeyId: 'key_site' };
  const { record, etag } = await manage.webhooks.create(body);
  expect([record.secret, etag]).toEqual(['whsec_1', '"1"']);
  expect((await manage.webhooks.rotate('wh_1', 60)).secret).toBe('whsec_1');
  expect(sent).toEqual([
    ['POST', '/api/v1/manage/webhooks', body, true],
    ['POST', '/api/v1/manage/webhooks/wh_1/rotate', { graceSeconds: 60 }, false],
  ]);
});

it('a customer is erased with one call, with the responses only if the caller says so', async () => {
  const sent: unknown[] = [];
  const { manage } = new WorkspaceClient({
    baseUrl: 'https://api.example',
    apiKey: 'key',
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input));
      sent.push([init?.method, `${pathname}${search}`, new Headers(init?.headers).get('if-match')]);
      return Response.json({ status: 'erasing' }, { status: 202 });
    },
  });
  await manage.customers.erase('cus_1');
  await manage.customers.erase('cus_2', { responses: true, ifMatch: '"1"' });
  expect(sent).toEqual([
    ['DELETE', '/api/v1/manage/customers/cus_1?erase=true', null],
    ['DELETE', '/api/v1/manage/customers/cus_2?erase=true&responses=true', '"1"'],
  ]);
});

it('a deletion and a call with many changes may outlive the page of a browser, others do not', async () => {
  const sent: unknown[] = [];
  const { manage } = new WorkspaceClient({
    baseUrl: 'https://api.example',
    fetch: async (_, init) => {
      sent.push([init?.method, init?.keepalive]);
      return Response.json({ results: [] });
    },
  });
  await manage.formResponses.delete('resp_1', { keepalive: true });
  await manage.changes([{ method: 'DELETE', kind: 'form-responses', id: 'resp_1' }], { keepalive: true });
  await manage.formResponses.delete('resp_1');
  await manage.changes([]);
  expect(sent).toEqual([
    ['DELETE', true],
    ['POST', true],
    ['DELETE', false],
    ['POST', false],
  ]);
});

it('versions are listed, read and restored, and deleted records are listed, each with one call', async () => {
  const sent: unknown[] = [];
  const { manage } = new WorkspaceClient({
    baseUrl: 'https://api.example',
    apiKey: 'key',
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input));
      const headers = new Headers(init?.headers);
      const [body, ifMatch] = [init?.body ? JSON.parse(String(init.body)) : null, headers.get('if-match')];
      sent.push([init?.method, pathname.replace('/api/v1/manage/', '') + search, body, ifMatch]);
      return Response.json({ id: 'a', data: [], next: null }, { headers: { etag: '"1"' } });
    },
  });
  await manage.cmsEntries.versions('chefs/a', { limit: 5 });
  await manage.cmsEntries.version('chefs/a', 'evt_1');
  expect(await manage.cmsEntries.restore('chefs/a', 'evt_1', { ifMatch: '"0"' })).toMatchObject({ etag: '"1"' });
  await manage.workspace.versions({ cursor: 'c' });
  await manage.workspace.version('evt_2');
  expect((await manage.workspace.restore('evt_2')).record.id).toBe('a');
  await manage.deleted({ kind: 'forms', limit: 2 });
  expect(sent).toEqual([
    ['GET', 'cms-entries/chefs/a/versions?limit=5', null, null],
    ['GET', 'cms-entries/chefs/a/versions/evt_1', null, null],
    ['POST', 'cms-entries/chefs/a/restore', { version: 'evt_1' }, '"0"'],
    ['GET', 'workspace/versions?cursor=c', null, null],
    ['GET', 'workspace/versions/evt_2', null, null],
    ['POST', 'workspace/restore', { version: 'evt_2' }, null],
    ['GET', 'deleted?kind=forms&limit=2', null, null],
  ]);
});

it('an id that would change the path is refused before a request is sent', () => {
  expect(() => client.manage.cmsEntries.get('../forms')).toThrow(RangeError);
});

it('many changes are carried out independently', async () => {
  const kind = 'cms-entries';
  const results = await client.manage.changes([
    { method: 'PATCH', kind, id: 'chefs/chef_sara', record: { published: true } },
    { method: 'PATCH', kind, id: 'chefs/nobody', record: { published: true } },
  ]);
  expect(results).toMatchObject([
    { status: 200, id: 'chefs/chef_sara' },
    { status: 404, error: { code: 'not_found' } },
  ]);
});
