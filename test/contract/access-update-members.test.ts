import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys } = await openWorkspace('access');
const { admin, clerk, boss, second } = keys;
const lonely = await openWorkspace('access');
const patch = (id: string, body: unknown, { key = admin, headers = {} } = {}) =>
  call(`PATCH /api/v1/manage/members/${id}`, { key, body, headers });
const statusOf = async (key: string) => (await call('GET /api/public/cms/chefs/list', { key })).status;
const events = async (id: string) =>
  (await call(`GET /api/v1/manage/audit-events?recordKind=members&recordId=${id}`, { key: admin })).json.data;

describe('updating a member', () => {
  it('takes effect on the next request for all keys of the member', async () => {
    expect(await statusOf(keys.member)).toBe(200);
    expect((await patch('mem_1', { active: false })).json.active).toBe(false);
    expect(await statusOf(keys.member)).toBe(401);
    expect((await patch('mem_1', { active: true, name: 'Lina N.' })).status).toBe(200);
    expect(await statusOf(keys.member)).toBe(200);
    expect((await events('mem_1')).map(({ changed }: { changed: string[] }) => changed)).toEqual([
      ['active', 'name'],
      ['active'],
    ]);
  });

  it('takes effect on keys that are created or rotated concurrently', async () => {
    const key = () =>
      call('POST /api/v1/manage/api-keys', {
        key: admin,
        body: { name: 'x', memberId: 'mem_2', permissions: ['cms:entry:read'] },
      });
    await patch('mem_2', { active: true });
    const [, ...made] = await Promise.all([patch('mem_2', { active: false }), key(), key(), key()]);
    const secrets = made.filter(({ status }) => status === 201).map(({ json }) => json.secret);
    expect(secrets.length).toBeGreaterThan(0);
    expect(new Set(await Promise.all(secrets.map(statusOf)))).toEqual(new Set([401]));
  });

  it('requires the permissions that it adds, and all of the member to change the address or activate the member', async () => {
    const body = { name: 'Rich', email: 'rich@example.com', permissions: ['menu:product:manage'], active: false };
    const { id } = (await call('POST /api/v1/manage/members', { key: admin, body })).json;
    const asClerk = (change: object) => patch(id, change, { key: clerk });
    expect((await asClerk({ name: 'Fine', email: 'RICH@example.com' })).status).toBe(200);
    for (const change of [{ email: 'mine@example.com' }, { email: null }, { active: true }]) {
      const { status, json } = await asClerk(change);
      expect([status, json.message]).toEqual([403, expect.stringContaining('menu:product:manage')]);
    }
    expect((await asClerk({ permissions: [], active: true, email: 'mine@example.com' })).status).toBe(200);
    // A key of a member has the permissions that both have.
    expect((await patch(id, { permissions: ['menu:product:manage'] }, { key: second })).status).toBe(403);
    expect((await patch(id, { permissions: ['menu:product:manage'] }, { key: boss })).status).toBe(200);
  });

  it.each(['deactivated', 'removed'])(
    'of one who was %s requires all permissions of the keys that count again',
    async (end) => {
      const path = `members/mem_${end}`;
      const manage = (method: string, target: string, body?: unknown, key = admin) =>
        call(`${method} /api/v1/manage/${target}`, { key, body });
      await manage('PUT', path, { name: 'Former', permissions: [] });
      const body = { name: 'Old', memberId: `mem_${end}`, permissions: ['cms:entry:read', 'menu:product:manage'] };
      const { json: old } = await manage('POST', 'api-keys', body);
      expect(await statusOf(old.secret)).toBe(200);
      await (end === 'removed' ? manage('DELETE', path) : patch(`mem_${end}`, { active: false }));
      const refused = await manage('PUT', path, { name: 'Again', permissions: [] }, clerk);
      expect([refused.status, refused.json.message]).toEqual([403, expect.stringContaining('menu:product:manage')]);
      expect((await manage('PUT', path, { name: 'Again', permissions: [], active: false }, clerk)).status).toBeLessThan(
        300,
      );
      expect(await statusOf(old.secret)).toBe(401);
      await manage('PATCH', `api-keys/${old.id}`, { revokedAt: '2026-01-01T00:00:00Z' });
      expect((await patch(`mem_${end}`, { active: true }, { key: clerk })).status).toBe(200);
      expect(await statusOf(old.secret)).toBe(401);
    },
  );

  it('refuses the e-mail address of another member', async () => {
    const { status, json } = await patch('mem_1', { email: ' Boss@example.com' });
    expect([status, json.errors[0]]).toEqual([400, expect.objectContaining({ path: 'email', code: 'duplicate' })]);
  });

  it('refuses another id alone: the address stays its own', async () => {
    const body = { name: 'Own', email: 'own@example.com', permissions: [] };
    const made = (await call('POST /api/v1/manage/members', { key: admin, body })).json;
    for (const id of ['mem_other', null]) {
      const { status, json } = await patch(made.id, { id });
      expect([status, json.errors]).toEqual([400, [expect.objectContaining({ path: 'id', code: 'not_allowed' })]]);
    }
  });

  it('never removes the last manager, nor the address of the last one who can sign in', async () => {
    const change = (id: string, body: unknown) => patch(id, body, { key: lonely.keys.admin });
    expect((await change('mem_2nd', { email: null })).status).toBe(200);
    const address = await change('mem_boss', { email: null });
    expect([address.status, address.json.code]).toEqual([409, 'last_manager']);
    expect((await change('mem_2nd', { permissions: [] })).status).toBe(200);
    for (const body of [{ active: false }, { permissions: ['cms:entry:read'] }, { email: null }]) {
      const { status, json } = await change('mem_boss', body);
      expect([status, json.code]).toEqual([409, 'last_manager']);
    }
    expect((await change('mem_boss', { name: 'Chief' })).status).toBe(200);
    const removed = await call('DELETE /api/v1/manage/members/mem_boss', { key: lonely.keys.admin });
    expect(removed.json.code).toBe('last_manager');
  });

  it('requires its permissions', async () => {
    expect((await patch('mem_1', {}, { key: keys.chief })).json.message).toContain('access:member:read');
    expect((await patch('mem_none', {})).status).toBe(404);
  });
});
