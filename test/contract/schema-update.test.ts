import { expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { openDatabases, text } from '#test/support/databases.ts';
import { exported } from '#test/support/document-text.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openDatabases();
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

it('PATCH /manage/cms-models changes the properties in the body, if the condition holds', async () => {
  const { headers } = await manage('GET cms-models/empty');
  const current = { headers: { 'if-match': headers['etag'] ?? '' } };
  const patched = await manage('PATCH cms-models/empty', { name: { en: null, ar: 'فارغ' } }, current);
  expect(patched.json).toMatchObject({ id: 'empty', name: { ar: 'فارغ' }, fields: [] });
  expect((await manage('GET cms-models/empty')).json).toEqual(patched.json);
  expect((await manage('PATCH cms-models/empty', { name: {} }, current)).json.code).toBe('precondition_failed');
  expect((await other.manage('PATCH cms-models/empty', { name: {} })).status).toBe(404);
  const named = await manage('PATCH cms-models/empty', { name: { de: 'Leer' } });
  expect([named.status, issuesOf(named)]).toEqual([400, ['name.de not_allowed']]);
});

it('other methods of /manage/cms-models get the methods that it has, whichever function serves them', async () => {
  const allowed = async (request: string) => {
    const { status, headers } = await manage(request, {});
    return [status, headers['allow']];
  };
  expect(await allowed('PUT cms-models')).toEqual([405, 'GET, HEAD, POST']);
  expect(await allowed('POST cms-models/notes')).toEqual([405, 'DELETE, GET, HEAD, PATCH, PUT']);
});

it('/manage/cms-models lets an entry keep values that a later change requires or no longer offers, until they are changed', async () => {
  const choices = (...values: string[]) => values.map((value) => ({ value, label: { en: value } }));
  const fields = (options: object[], required: boolean) => [
    text,
    { key: 'size', name: { en: 'Size' }, type: 'select', options },
    { key: 'day', name: { en: 'Day' }, type: 'date', required },
  ];
  await manage('PUT cms-models/shirts', { name: { en: 'Shirts' }, fields: fields(choices('s', 'm'), false) });
  await manage('PUT cms-entries/shirts/one', { values: { title: { en: 'One' }, size: 's' } });
  const changed = await manage('PATCH cms-models/shirts', { fields: fields(choices('m', 'l'), true) });
  expect(changed.status).toBe(200);

  const path = 'cms-entries/shirts/one';
  const hidden = await manage(`PATCH ${path}`, { published: false });
  expect([hidden.status, hidden.headers['x-missing-references']]).toEqual([200, undefined]);
  const titled = await manage(`PATCH ${path}`, { values: { title: { en: 'First' }, size: 's', day: null } });
  expect(titled.json).toMatchObject({ published: false, values: { title: { en: 'First' }, size: 's', day: null } });

  const refused = await manage(`PATCH ${path}`, { values: { size: 'xl' } });
  expect(refused.json.errors).toEqual([expect.objectContaining({ path: 'values.size', code: 'not_allowed' })]);
  const whole = await manage(`PUT ${path}`, { values: { title: { en: 'First' }, size: 's' } });
  expect([whole.status, whole.json.errors.map(({ path: at }: { path: string }) => at)]).toEqual([
    400,
    ['values.size', 'values.day'],
  ]);
  const mended = await manage(`PATCH ${path}`, { values: { size: 'l', day: '2026-01-31' } });
  expect([mended.status, mended.json.values]).toEqual([200, { title: { en: 'First' }, size: 'l', day: '2026-01-31' }]);
  const emptied = await manage(`PATCH ${path}`, { values: { day: null } });
  expect(emptied.json.errors).toEqual([expect.objectContaining({ path: 'values.day', code: 'required' })]);
});
