import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { compactWorkspace } from '#lib/table/collection/compact-collections.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const minutes = 60_000;
const names = ['updated', 'removed'] as const;
const title = { key: 'title', name: { en: 'Title' }, type: 'text' };
const next = { key: 'next', name: { en: 'Next' }, type: 'relation', relation: { to: 'cms:notes', many: false } };
const kitchen = await openWorkspace('records', (document) => {
  document.cms = {
    models: [{ id: 'notes', name: { en: 'Notes' }, fields: [title, next] }],
    entries: [
      ...names.map((id) => ({ id, modelId: 'notes', values: { title: 'Before' } })),
      ...names.map((id) => ({ id: `to_${id}`, modelId: 'notes', values: { title: 'First', next: id } })),
    ],
  };
});
const get = async (path: string) =>
  (await call(`GET /api/public/cms/notes/${path}`, { key: kitchen.secretOf('all') })).json;
const related = () => Promise.all(names.map(async (id) => (await get(`to_${id}?fields=next(title)`)).next));

const others = 'list?filter[id]=to_removed&maxDepth=0';

let passed = 0;
beforeAll(() => {
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + passed);
});
afterAll(() => {
  jest.restoreAllMocks();
});

it('a relation shows the current entry, also when the log no longer has its last change', async () => {
  const before = names.map((id) => ({ id, title: 'Before' }));
  expect(await related()).toEqual(before);
  await kitchen.manage('PATCH cms-entries/notes/updated', { values: { title: 'After' } });
  await kitchen.manage('DELETE cms-entries/notes/removed');
  // Other reads keep the container's view of the log.
  for (let times = 0; times < 3; times++) {
    passed += 5 * minutes;
    expect(await get(others)).toHaveLength(1);
  }
  expect(await compactWorkspace(testTable(), kitchen.workspaceId)).toBe(true);
  expect(await get(others)).toHaveLength(1);
  expect(await related()).toEqual([{ id: 'updated', title: 'After' }, null]);
});
