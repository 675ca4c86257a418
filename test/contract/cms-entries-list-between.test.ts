import { afterEach, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const fields = [
  { key: 'title', name: { en: 'Title' }, type: 'text' },
  { key: 'rank', name: { en: 'Rank' }, type: 'number' },
];
const titles = ['ä', 'b', 'ج', 'd', 'e'];
const { keys } = await openWorkspace('kitchen', ({ cms }) => {
  cms.models.push({ id: 'notes', name: { en: 'Notes' }, fields });
  cms.entries.push(...titles.map((title, rank) => ({ id: `n${rank}`, modelId: 'notes', values: { title, rank } })));
});
// The functions are imported from here on, so that their table is behind the proxy.
const proxy = await startTableProxy();
afterEach(() => proxy.heal());

const key = keys.chief;
const list = async (query: string) => {
  const { status, json } = await call(`GET /api/public/cms/notes/list?fields=id,rank&${query}`, { key });
  expect(status).toBe(200);
  return json as readonly { readonly id: string; readonly rank: number | null }[];
};
const rank = (id: string, value: number | null) =>
  call(`PATCH /api/public/cms/notes/${id}`, { key, body: { values: { rank: value } } });

it.each([
  ['sort=rank', 'n0', 90],
  ['sort=-rank&limit=3', 'n4', -5],
  ['sort=rank&offset=1&limit=2', 'n1', 3.5],
  ['sort=rank&limit=5', 'n2', null],
  ['filter[rank][gte]=1&sort=-rank', 'n3', 1.5],
  ['filter[rank][lt]=4&sort=-updatedAt&limit=2', 'n1', 2],
])('a page by %s shows no entry at its former place if it changes after its row was read', async (query, id, value) => {
  for (const [index] of titles.entries()) await rank(`n${index}`, index);
  const before = await list(query);
  proxy.plan('Query', { kind: 'late', meanwhile: () => rank(id, value) }, 1, '#log');
  const between = await list(query);
  const after = await list(query);
  expect(after).not.toEqual(before);
  expect([before, after]).toContainEqual(between);
});
