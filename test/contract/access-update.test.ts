import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys } = await openWorkspace('access');
const { admin, clerk, boss, second } = keys;
const path = '/api/v1/manage/api-keys';
const createKey = async (body: object) =>
  (await call(`POST ${path}`, { key: admin, body: { name: 'Key', permissions: ['cms:entry:read'], ...body } })).json;
const patch = (id: string, body: unknown, { key = admin, headers = {} } = {}) =>
  call(`PATCH ${path}/${id}`, { key, body, headers });
const reads = async (key: string) => (await call('GET /api/public/cms/chefs/list', { key })).status;
const events = async (id: string) =>
  (await call(`GET /api/v1/manage/audit-events?recordKind=api-keys&recordId=${id}`, { key: admin })).json.data;
const past = '2026-01-01T00:00:00.000Z';
const later = '2999-01-01T00:00:00.000Z';

describe('updating a key', () => {
  it('changes the given members, records an audit event, and a repetition changes nothing', async () => {
    const { id, secret } = await createKey({});
    const changed = await patch(id, { name: 'Renamed', permissions: ['menu:product:read'] });
    expect([changed.status, changed.json.name, changed.json.permissions]).toEqual([
      200,
      'Renamed',
      ['menu:product:read'],
    ]);
    expect(changed.text).not.toMatch(/secret|hash/i);
    expect(await reads(secret)).toBe(403);
    const again = await patch(id, { name: 'Renamed' });
    expect([again.status, again.headers['etag']]).toEqual([200, changed.headers['etag']]);
    const log = await events(id);
    expect(log.map(({ action, changed: paths }: { action: string; changed: string[] }) => [action, paths])).toEqual([
      ['update', ['name', 'permissions']],
      ['create', []],
    ]);
  });

  it('revokes a key with its former secret from the next request on', async () => {
    const { id, secret } = await createKey({});
    const rotated = await call(`POST ${path}/${id}/rotate`, { key: admin, body: { graceSeconds: 600 } });
    expect([await reads(secret), await reads(rotated.json.secret)]).toEqual([200, 200]);
    expect((await patch(id, { revokedAt: new Date().toISOString() })).status).toBe(200);
    expect([await reads(secret), await reads(rotated.json.secret)]).toEqual([401, 401]);
    expect((await patch(id, { revokedAt: null })).status).toBe(200);
    expect([await reads(secret), await reads(rotated.json.secret)]).toEqual([401, 200]);
  });

  it.each<[unknown, string, string]>([
    [{ name: null }, 'name', 'type'],
    [{ permissions: null }, 'permissions', 'type'],
    [{ secret: 'a-secret-of-my-own-choice' }, 'secret', 'unknown_field'],
    [{ lastUsedAt: null, color: 1 }, 'color', 'unknown_field'],
    [{ id: 'key_other' }, 'id', 'not_allowed'],
    [{ memberId: 'mem_1' }, 'memberId', 'not_allowed'],
    [{ expiresAt: 5 }, 'expiresAt', 'type'],
  ])('refuses %j (400)', async (body, field, code) => {
    const { status, json } = await patch('key_reader', body);
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    expect(json.errors).toContainEqual(expect.objectContaining({ path: field, code }));
  });

  it.each([
    [{ memberId: 'mem_nobody' }, 'memberId'],
    [{ memberId: 'a b' }, 'memberId'],
    [{ id: 'a b' }, 'id'],
  ])('refuses %j with one error', async (body, field) => {
    const { status, json } = await patch('key_reader', body);
    const faults = json.errors.map((issue: { path: string; code: string }) => `${issue.path} ${issue.code}`);
    expect([status, faults]).toEqual([400, [`${field} not_allowed`]]);
  });

  it('requires the permissions that it adds, and all of the key to reactivate it or move its expiry', async () => {
    const { id } = await createKey({ permissions: ['cms:entry:update'], expiresAt: later });
    const asClerk = (body: object) => patch(id, body, { key: clerk });
    expect((await asClerk({ name: 'Fine' })).status).toBe(200);
    expect((await asClerk({ permissions: ['cms:entry:update', 'cms:entry:read'] })).status).toBe(200);
    const added = await asClerk({ permissions: ['cms:entry:update', 'menu:product:read'] });
    expect([added.status, added.json.message]).toEqual([403, expect.stringContaining('menu:product:read')]);
    for (const expiresAt of [null, '2998-01-01T00:00:00.000Z']) {
      const { status, json } = await asClerk({ expiresAt });
      expect([status, json.message]).toEqual([403, expect.stringContaining('cms:entry:update')]);
    }
    expect((await asClerk({ revokedAt: past })).status).toBe(200);
    for (const revokedAt of [null, later]) expect((await asClerk({ revokedAt })).status).toBe(403);
    expect((await patch(id, { revokedAt: null })).status).toBe(200);
  });

  it("counts only permissions that both the caller's key and its member have", async () => {
    const { id } = await createKey({ permissions: ['menu:product:manage'], revokedAt: past });
    expect((await patch(id, { revokedAt: null }, { key: second })).json.message).toContain('menu:product:manage');
    expect((await patch(id, { revokedAt: null }, { key: boss })).status).toBe(200);
  });

  it('checks the Idempotency-Key before If-Match', async () => {
    const { id } = await createKey({});
    const { headers } = await call(`GET ${path}/${id}`, { key: admin });
    const mine = { 'if-match': headers['etag'] ?? '', 'idempotency-key': 'rename it' };
    expect((await patch(id, { name: 'One' }, { headers: mine })).status).toBe(200);
    expect((await patch(id, { name: 'One' }, { headers: mine })).json.name).toBe('One');
    const stale = await patch(id, { name: 'Two' }, { headers: { 'if-match': headers['etag'] ?? '' } });
    expect([stale.status, stale.json.code]).toEqual([412, 'precondition_failed']);
    expect((await patch(id, { name: 'Two' }, { headers: { 'if-match': '*' } })).status).toBe(200);
  });

  it('answers 404 for an unknown key, and 403 without its permissions', async () => {
    expect((await patch('key_none', { name: 'x' })).status).toBe(404);
    expect((await patch('key_reader', { name: 'x' }, { key: keys.chief })).json.message).toContain('access:key:read');
  });
});
