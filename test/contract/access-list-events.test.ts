import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import type { Document } from '#test/support/world.ts';

const { keys } = await openWorkspace('access');
const { admin } = keys;
const other = await openWorkspace('access');
const list = (query = '', key = admin) => call(`GET /api/v1/manage/audit-events?${query}`, { key });
for (const name of ['One', 'Two', 'Three']) {
  await call('PATCH /api/v1/manage/members/mem_1', { key: admin, body: { name } });
  await new Promise((resolve) => setTimeout(resolve, 3));
}
await call('PATCH /api/public/cms/chefs/chef_1', { key: keys.chief, body: { values: { joined: '2026-01-01' } } });

describe('the list of audit events', () => {
  it('is ordered newest first in pages, with the members of the specification', async () => {
    const all = (await list('limit=100')).json;
    expect(all.next).toBeNull();
    expect(all.data[0]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      action: 'update',
      recordKind: 'cms-entries',
      actor: { type: 'key', id: 'key_chief', name: 'chief' },
      recordId: 'chefs/chef_1',
      changed: ['values.joined'],
      requestId: expect.any(String),
    });
    expect(all.data).toHaveLength(5);
    const seen: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { json } = await list(`limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...json.data);
      cursor = json.next;
    }
    expect(seen).toEqual(all.data);
  });

  it('filters by record, actor and time', async () => {
    const of = (await list('recordKind=members&recordId=mem_1')).json.data;
    expect(of).toHaveLength(3);
    expect((await list('recordKind=members')).json.data).toEqual(of);
    expect((await list('recordKind=cms-entries&recordId=chefs%2Fchef_1')).json.data).toHaveLength(1);
    expect((await list('actorId=key_admin')).json.data).toEqual(of);
    expect((await list('actorId=operator')).json.data).toMatchObject([{ action: 'import' }]);
    const [, middle, first] = of;
    const between = await list(`recordKind=members&recordId=mem_1&since=${first.at}&until=${middle.at}`);
    expect(between.json.data).toEqual([first]);
    expect((await list('q=CHIEF')).json.data).toHaveLength(1);
    expect((await list('action=import')).json.data).toMatchObject([{ actor: { id: 'operator' } }]);
    expect((await list('action=update&recordKind=members')).json.data).toEqual(of);
    expect((await list('action=create&actorId=key_admin')).json).toEqual({ data: [], next: null });
    expect((await list('actorId=a%23b')).json).toEqual({ data: [], next: null });
  });

  it.each(['events?after', 'manage/audit-events?since', 'manage/form-responses?until'])(
    'says how to send an offset where its plus sign has become a blank: %s',
    async (parameter) => {
      const { status, json } = await call(`GET /api/v1/${parameter}=2026-01-31T09:00:00+03:00`, { key: admin });
      expect([status, json.message]).toEqual([400, expect.stringContaining('2026-01-31T12:00:00%2B03:00')]);
    },
  );

  it('refuses a malformed time, an unknown action and a cursor of another list', async () => {
    expect((await list('action=signin')).json).toMatchObject({ code: 'invalid_query', errors: [{ path: 'action' }] });
    expect((await list('since=yesterday')).json).toMatchObject({ code: 'invalid_query', errors: [{ path: 'since' }] });
    const { next } = (await list('limit=1')).json;
    expect((await list(`limit=1&actorId=key_admin&cursor=${next}`)).json.errors[0].path).toBe('cursor');
  });

  it('has the beginning of a long name of an actor, so that no name makes the list too large', async () => {
    const long = await openWorkspace('access', ({ apiKeys }) => {
      const name = `${'é'.repeat(199)}${'🍕'.repeat(50)}${'n'.repeat(300_000)}`;
      apiKeys.find(({ id }: Document) => id === 'key_admin').name = name;
    });
    const key = long.keys.admin;
    for (const name of ['One', 'Two']) await call('PATCH /api/v1/manage/members/mem_1', { key, body: { name } });
    const actor = { type: 'key', id: 'key_admin', name: `${'é'.repeat(199)}🍕` };
    expect((await list('actorId=key_admin', key)).json.data).toMatchObject([{ actor }, { actor }]);
    expect((await call('GET /api/v1/events?types=member.*', { key })).json.data).toMatchObject([{ actor }, { actor }]);
  });

  it('shows nothing of another workspace, and requires its permission', async () => {
    expect((await list('', other.keys.admin)).json.data).toMatchObject([{ action: 'import' }]);
    expect((await list('', keys.chief)).json.message).toContain('audit:event:read');
    for (const method of ['POST', 'DELETE']) {
      expect((await call(`${method} /api/v1/manage/audit-events`, { key: admin, body: {} })).status).toBe(405);
    }
  });
});
