import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { adminKeys, changeMember, openSignIns } from '#test/support/sign-in.ts';
import { signIn } from '#test/support/signed-in.ts';

await openSignIns();
const path = '/api/v1/profile';
const mona = await signIn({ workspaceId: 'ws_apple', address: 'mona@example.com' });
const change = (body: unknown, headers = {}) => mona.call(`PATCH ${path}`, { body, headers });
const record = async (id = 'mem_mona', key: string = adminKeys.apple) =>
  (await call(`GET /api/v1/manage/members/${encodeURIComponent(id)}`, { key })).json;

describe('updating the profile', () => {
  it('changes the name and the language, and answers the profile', async () => {
    const { status, json } = await change({ name: 'منى', language: 'ar' });
    expect([status, json.name, json.language]).toEqual([200, 'منى', 'ar']);
    expect(json).toEqual((await mona.call(`GET ${path}`)).json);
    expect(await record()).toMatchObject({ name: 'منى', language: 'ar', active: true });
    expect((await change({ language: null })).json).toMatchObject({ name: 'منى', language: null });
    expect((await change({ name: 'Mona' })).json).toMatchObject({ name: 'Mona', language: null });
    expect((await change({ language: 'AR' })).json.language).toBe('ar');
    expect(await record()).toMatchObject({ language: 'ar' });
    await change({ language: null });
  });

  it('changes no member of another workspace', async () => {
    const before = await record('mem_mona.2:a', adminKeys.pear);
    await change({ name: 'Mona X' });
    expect(await record('mem_mona.2:a', adminKeys.pear)).toEqual(before);
    await change({ name: 'Mona' });
  });

  it('changes nothing for {}', async () => {
    const before = await call('GET /api/v1/manage/members/mem_mona', { key: adminKeys.apple });
    expect((await change({})).status).toBe(200);
    const after = await call('GET /api/v1/manage/members/mem_mona', { key: adminKeys.apple });
    expect([after.json, after.headers['etag']]).toEqual([before.json, before.headers['etag']]);
  });

  it('records an audit event of the member, without values', async () => {
    await change({ name: 'Mona Y', language: 'en' });
    const { json } = await call('GET /api/v1/manage/audit-events?limit=1', { key: adminKeys.apple });
    expect(json.data[0]).toMatchObject({
      actor: { type: 'member', id: 'mem_mona', name: 'Mona' },
      action: 'update',
      recordKind: 'members',
      recordId: 'mem_mona',
      changed: ['language', 'name'],
    });
    expect(JSON.stringify(json)).not.toContain('Mona Y');
  });

  it.each([
    [{ email: 'a@example.com' }, 'email', 'unknown_field'],
    [{ permissions: [] }, 'permissions', 'unknown_field'],
    [{ name: null }, 'name', 'type'],
    [{ name: 1 }, 'name', 'type'],
    [{ language: 'fr' }, 'language', 'not_allowed'],
    [{ name: '\ud800' }, 'name', 'format'],
  ])('answers 400 for %j', async (body, field, code) => {
    const before = await record();
    const { status, json } = await change(body);
    expect([status, json.errors.map((issue: { path: string; code: string }) => [issue.path, issue.code])]).toEqual([
      400,
      [[field, code]],
    ]);
    expect(await record()).toEqual(before);
  });

  it('answers validation_failed for a name that shows nothing, and trims any other', async () => {
    for (const name of ['', '\u3000', '\u2066\u2069\u00ad']) {
      const { status, json } = await change({ name });
      expect([status, json]).toEqual([
        400,
        {
          message: 'name: Must have text.',
          code: 'validation_failed',
          errors: [{ path: 'name', code: 'required', message: 'name: Must have text.' }],
        },
      ]);
    }
    expect((await change({ name: ' Mona\u00a0' })).json.name).toBe('Mona');
  });

  it('answers 400 for a name that is too long to store', async () => {
    for (const characters of [358_400, 900_000]) {
      const { status, json } = await change({ name: 'x'.repeat(characters) });
      expect([status, json.errors[0].code]).toEqual([400, 'too_large']);
    }
  });

  it('answers 400 for a body that is not an object', async () => {
    for (const body of ['[]', '1', '{']) expect((await change(body)).json.code).toBe('invalid_body');
  });

  it('requires a session, and a page of the same origin', async () => {
    const body = { name: 'X' };
    expect((await call(`PATCH ${path}`, { body })).json.code).toBe('missing_session');
    expect((await call(`PATCH ${path}`, { body, key: adminKeys.apple })).json.code).toBe('missing_session');
    expect((await change(body, { 'sec-fetch-site': 'cross-site' })).json.code).toBe('cross_origin');
  });

  it('requires no permission, and keeps the session', async () => {
    const ali = await signIn({ workspaceId: 'ws_apple', address: 'ali@example.com' });
    expect((await ali.call(`PATCH ${path}`, { body: { name: 'Ali B.' } })).json.name).toBe('Ali B.');
    expect((await ali.call(`GET ${path}`)).status).toBe(200);
  });

  it('answers 401 for a member who was deactivated', async () => {
    const boss = await signIn({ workspaceId: 'ws_apple', address: 'boss@example.com' });
    await changeMember('mem_boss', { active: false });
    expect((await boss.call(`PATCH ${path}`, { body: { name: 'X' } })).json.code).toBe('invalid_session');
    expect((await record('mem_boss')).name).toBe('Boss');
  });
});
