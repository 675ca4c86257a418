import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys } = await openWorkspace('access');
const { admin } = keys;
const list = (query: string, key = admin) => call(`GET /api/v1/manage/members?${query}`, { key });

describe('the list of members', () => {
  it('is ordered by name, and links the next page', async () => {
    const first = await list('limit=3');
    expect(first.json.data.map(({ id }: { id: string }) => id)).toEqual(['mem_boss', 'mem_1', 'mem_2']);
    const second = await list(`limit=3&cursor=${first.json.next}`);
    expect(second.json).toMatchObject({ data: [{ id: 'mem_2nd', name: 'Second', active: true }], next: null });
  });

  it('finds names, ids and addresses', async () => {
    expect((await list('q=BOSS@example')).json.data).toMatchObject([{ id: 'mem_boss', email: 'boss@example.com' }]);
  });

  it('compares names by code point', async () => {
    const names = ['\uf8ff', '\u{10428}'];
    for (const name of names.toReversed()) await call('POST /api/v1/manage/members', { key: admin, body: { name } });
    const { json } = await list('limit=100');
    expect(json.data.slice(-2).map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('requires its permission', async () => {
    expect((await list('', keys.chief)).json.message).toContain('access:member:read');
  });
});
