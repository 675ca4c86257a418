import { expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { exported } from '#test/support/document-text.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('records');
const other = await openWorkspace('records');
const { manage } = kitchen;

it('PATCH /manage/workspace changes the properties in the body, and takes effect on the next request to other endpoints', async () => {
  const before = (await other.manage('GET workspace')).json;
  const { status, json } = await manage('PATCH workspace', { name: 'Renamed', defaultLanguage: 'ar', currency: null });
  expect(status).toBe(200);
  expect(json).toMatchObject({ id: kitchen.workspaceId, name: 'Renamed', defaultLanguage: 'ar', currency: null });
  expect((await exported(kitchen.workspaceId)).workspace).toEqual(json);
  await manage('PATCH workspace', { languages: ['ar', 'en', 'fr'] });
  const body = { slug: 'fr', name: { fr: 'Plat' }, categoryId: 'cat_1' };
  expect((await manage('PUT menu-products/prod_fr', body)).status).toBe(201);
  expect((await other.manage('PUT menu-products/prod_fr', body)).status).toBe(400);
  expect((await other.manage('GET workspace')).json).toEqual(before);
});

it('PATCH /manage/workspace refuses the same values as an import', async () => {
  const faulty = { languages: ['fr', 'fr'], currency: 'sar', id: 'other', colour: 1 };
  const { status, json } = await manage('PATCH workspace', faulty);
  expect([status, json.code]).toEqual([400, 'validation_failed']);
  expect(issuesOf({ json }).sort()).toEqual([
    'colour unknown_field',
    'currency format',
    'defaultLanguage not_allowed',
    'id not_allowed',
    'languages duplicate',
  ]);
});

it('the time zone of a workspace is an IANA name, UTC without one', async () => {
  expect((await manage('GET workspace')).json.timeZone).toBe('UTC');
  for (const timeZone of ['America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Etc/GMT+12', 'UTC']) {
    expect((await manage('PATCH workspace', { timeZone })).json.timeZone).toBe(timeZone);
  }
  for (const timeZone of ['+03:00', 'Riyadh', '', ' UTC', 'Asia/Riyadh\u0000', 3, null]) {
    expect(issuesOf(await manage('PATCH workspace', { timeZone }))).toMatchObject([
      expect.stringMatching(/^timeZone /),
    ]);
  }
});

it('PATCH /manage/workspace checks If-Match and an Idempotency-Key', async () => {
  const patch = (name: string, headers: Record<string, string>) => manage('PATCH workspace', { name }, { headers });
  expect((await patch('x', { 'if-match': '"other"' })).status).toBe(412);
  const { headers } = await manage('GET workspace');
  const first = await patch('one', { 'if-match': headers['etag'] ?? '', 'idempotency-key': 'w' });
  expect(first.status).toBe(200);
  await patch('two', {});
  expect((await patch('one', { 'if-match': headers['etag'] ?? '', 'idempotency-key': 'w' })).text).toBe(first.text);
  expect((await manage('GET workspace')).json.name).toBe('two');
});

it('/manage/workspace cannot be created or removed, and requires its permissions', async () => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const { status, headers } = await manage(`${method} workspace`, method === 'DELETE' ? undefined : {});
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, PATCH']);
  }
  const key = kitchen.secretOf('workspace:settings:read');
  expect((await call('PATCH /api/v1/manage/workspace', { key, body: {} })).json.message).toContain(
    'workspace:settings:update',
  );
});
