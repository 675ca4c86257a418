import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

let kitchen: Awaited<ReturnType<typeof openWorkspace<'kitchen'>>>;
beforeEach(async () => {
  kitchen = await openWorkspace('kitchen', (document) => {
    const relation = { to: 'cms:things', many: false };
    document.cms.models[1].fields.push({ key: 'twin', name: { en: 'Twin' }, type: 'relation', relation });
    document.cms.entries.push({ id: 'thing_2', modelId: 'things', values: { title: 'x' } });
  });
});

const address = '/api/public/cms/chefs/chef_1';
const update = (
  idempotencyKey: string,
  values: object,
  more: { query?: string; key?: string; ifMatch?: string } = {},
) =>
  call(`PATCH ${address}?${more.query ?? ''}`, {
    key: more.key ?? kitchen.keys.editor,
    body: { values },
    headers: { 'idempotency-key': idempotencyKey, ...(more.ifMatch && { 'if-match': more.ifMatch }) },
  });
const idempotencyRecordsOf = (workspaceId: string) =>
  Array.fromAsync(testTable().query({ pk: keys.idempotencyRecord(workspaceId, '').pk }));
const read = () => call(`GET ${address}`, { key: kitchen.keys.editor });

describe('an update with an Idempotency-Key', () => {
  it('is carried out one time; a repetition gets the same answer', async () => {
    const first = await update('one', { bio: { en: 'First' } });
    await update('two', { bio: { en: 'Second' } });
    const again = await update('one', { bio: { en: 'First' } });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers['etag']).toBe(first.headers['etag']);
    expect((await read()).json.bio).toEqual({ en: 'Second' });
  });

  it('is carried out one time across PATCH and PUT, and with If-Match', async () => {
    const { headers } = await read();
    const ifMatch = headers['etag'] ?? '';
    const first = await update('one', { joined: '2026-01-01' }, { ifMatch });
    const options = { key: kitchen.keys.editor, body: { values: { joined: '2026-01-01' } } };
    const again = await call(`PUT ${address}`, {
      ...options,
      headers: { 'idempotency-key': 'one', 'if-match': ifMatch },
    });
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  });

  it('is carried out one time when it is sent many times in parallel', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => update('one', { published: true })));
    expect(new Set(answers.map(({ status }) => status)).isSubsetOf(new Set([200, 409]))).toBe(true);
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ headers }) => headers['etag'])).size).toBe(1);
    for (const { status, json, headers } of answers) {
      if (status === 409) expect([json.code, headers['retry-after']]).toEqual(['conflict', '1']);
    }
  });

  it('is refused with another body (422)', async () => {
    await update('one', { bio: { en: 'First' } });
    const { status, json } = await update('one', { bio: { en: 'Other' } });
    expect([status, json.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await read()).json.bio).toEqual({ en: 'First' });
  });

  it.each([
    ['other fields', { query: 'fields=name' }],
    ['another condition', { ifMatch: '"another"' }],
  ])('gets the first answer with %s, because the body is the same', async (_, more) => {
    const first = await update('one', { bio: { en: 'First' } });
    const again = await update('one', { bio: { en: 'First' } }, more);
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  it('is refused with a query that is wrong (400), also as a retry', async () => {
    await update('one', { bio: { en: 'First' } });
    const inQuery = await update('one', { bio: { en: 'First' } }, { query: 'fields=-58800' });
    expect([inQuery.status, inQuery.json.errors]).toEqual([400, [expect.objectContaining({ path: 'fields.-58800' })]]);
    const inBoth = await update('one', { nope: 1 }, { query: 'fields=-58800' });
    const paths = inBoth.json.errors.map(({ path }: { path: string }) => path);
    expect([inBoth.status, paths.sort()]).toEqual([400, ['fields.-58800', 'values.nope']]);
    expect((await update('one', { bio: { en: 'First' } })).status).toBe(200);
  });

  it('leaves the key unused when it is refused', async () => {
    expect((await update('one', { nope: 1 })).status).toBe(400);
    expect((await update('one', { joined: '2026-01-01' }, { ifMatch: '"another"' })).status).toBe(412);
    expect((await update('one', { joined: '2026-01-01' })).status).toBe(200);
  });

  it('is scoped to the API key, the entry and the workspace', async () => {
    await update('one', { bio: { en: 'First' } });
    expect((await update('one', { bio: { en: 'Chief' } }, { key: kitchen.keys.chief })).status).toBe(200);
    const headers = { 'idempotency-key': 'one' };
    const body = { values: { bio: { en: 'Other' } } };
    expect((await call('PATCH /api/public/cms/chefs/chef_2', { key: kitchen.keys.editor, body, headers })).status).toBe(
      200,
    );
    const other = await openWorkspace('kitchen');
    const theirs = await call(`PATCH ${address}`, { key: other.keys.editor, body, headers });
    expect([theirs.status, theirs.json.bio]).toEqual([200, { en: 'Other' }]);
    expect(theirs.text).not.toContain(kitchen.canary);
  });

  it('is a new update after 24 hours, even if the engine has not removed its record', async () => {
    await update('one', { bio: { en: 'First' } });
    for (const item of await idempotencyRecordsOf(kitchen.workspaceId)) {
      const hours = (Number(item['ttl']) - Date.now() / 1_000) / 3_600;
      expect([hours > 23.9, hours < 24.1]).toEqual([true, true]);
      await testTable().put({ ...item, ttl: Math.floor(Date.now() / 1_000) - 1 });
    }
    const second = await update('one', { bio: { en: 'Second' } });
    expect([second.status, second.json.bio]).toEqual([200, { en: 'Second' }]);
    expect((await update('one', { bio: { en: 'Second' } })).text).toBe(second.text);
  });

  it('is recorded even when it changes nothing', async () => {
    const first = await update('one', {});
    await update('two', { bio: { en: 'Second' } });
    const again = await update('one', {});
    expect([again.status, again.text, again.headers['etag']]).toEqual([200, first.text, first.headers['etag']]);
    expect((await update('one', { bio: { en: 'Other' } })).status).toBe(422);
  });

  it('shows a repetition nothing that its key may no longer see, and is not carried out again', async () => {
    const { document } = kitchen;
    const seen = { key: kitchen.keys.chief, query: 'includeHidden=true' };
    const first = await update('one', { phone: '+966 500 000 001' }, seen);
    expect(first.json.phone).toBe('+966 500 000 001');
    await update('two', { phone: '+966 500 000 002' }, seen);
    const chief = document.apiKeys.find(({ id }: { id: string }) => id === 'key_chief');
    const { permissions } = chief;
    chief.permissions = permissions.filter((name: string) => name !== 'cms:entry:read-hidden');
    await load({ version: 1, workspace: document.workspace, members: document.members, apiKeys: document.apiKeys });
    const { status, json } = await update('one', { phone: '+966 500 000 001' }, seen);
    expect([status, json.id, 'phone' in json]).toEqual([200, 'chef_1', false]);
    chief.permissions = permissions;
    await load({ version: 1, workspace: document.workspace, members: document.members, apiKeys: document.apiKeys });
    const { headers, text } = await update('one', { phone: '+966 500 000 001' }, seen);
    expect([text, headers['etag']]).toEqual([first.text, first.headers['etag']]);
  });

  it('is carried out one time even if its answer is too large to be recorded', async () => {
    const long = () => randomBytes(240_000).toString('base64');
    const { editor } = kitchen.keys;
    const thing = (id: string) => `PATCH /api/public/cms/things/${id}`;
    const other = await call(thing('thing_2'), { key: editor, body: { values: { long: long() } } });
    expect(other.status).toBe(200);
    const options = {
      key: editor,
      headers: { 'idempotency-key': 'one' },
      body: { values: { long: long(), twin: 'thing_2' } },
    };
    const first = await call(thing('thing_1'), options);
    expect([first.status, first.json.twin.long]).toEqual([200, other.json.long]);
    const later = await call(thing('thing_1'), { key: editor, body: { values: { long: 'short' } } });
    const again = await call(thing('thing_1'), options);
    expect([again.status, again.text, again.headers['etag']]).toEqual([200, later.text, later.headers['etag']]);
  });

  it.each(['', 'x'.repeat(256)])('is refused for a key of the wrong length (400)', async (key) => {
    const { status, json } = await update(key, {});
    expect([status, json.code, json.errors[0].path]).toEqual([400, 'validation_failed', 'Idempotency-Key']);
  });
});
