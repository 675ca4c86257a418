import { expect, it } from '@jest/globals';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { manage } = await openWorkspace('records', (document) => {
  document.cms = {
    models: [{ id: 'notes', name: { en: 'Notes' }, fields: [{ key: 'title', name: { en: 'Title' }, type: 'text' }] }],
  };
});
const proxy = await startTableProxy();

const create = async (record: object = {}) =>
  (await manage('POST cms-entries', { modelId: 'notes', values: { title: 'One' }, ...record })).json;

/** The number of successive reads of a request for one entry that this container has not read before. */
async function readsOf(request: string, body?: object): Promise<number> {
  proxy.calls = [];
  const { status } = await manage(request, body);
  expect([request, status < 300]).toEqual([request, true]);
  return proxy.calls.filter(({ operation }) => operation === 'BatchGetItem').length;
}

it('the id of an entry that is created without one contains the time of its creation', async () => {
  const { id, createdAt } = await create();
  const [, time = ''] = /^entry_([0-9a-z]{9})[0-9a-f]{24}$/.exec(id) ?? [];
  expect(new Date(Number.parseInt(time, 36)).toISOString()).toBe(createdAt);
  const { json } = await manage('POST changes', {
    changes: [{ method: 'POST', kind: 'cms-entries', record: { modelId: 'notes', values: {} } }],
  });
  const inBulk = await manage(`GET cms-entries/${json.results[0].id}`);
  expect(inBulk.json.id.slice(6, 15)).toBe(Date.parse(inBulk.json.createdAt).toString(36).padStart(9, '0'));
});

it('an entry with such an id is read in the round trip of the key, and any other in two', async () => {
  // The first call of each function reads the key alone.
  const first = await create();
  await manage(`GET cms-entries/notes/${first.id}`);
  await manage(`PATCH cms-entries/notes/${first.id}`, { published: false });
  const made = await create();
  const moved = await create({ createdAt: '2026-01-02T03:04:05.006Z' });
  expect(await readsOf(`GET cms-entries/notes/${made.id}`)).toBe(1);
  expect(await readsOf(`GET cms-entries/notes/${moved.id}`)).toBe(2);
  const another = await create();
  expect(await readsOf(`PATCH cms-entries/notes/${another.id}`, { values: { title: 'Two' } })).toBe(1);
});

it('an entry is found by such an id after it was removed and made again at another time, and not after its removal', async () => {
  const { id } = await create();
  expect((await manage(`DELETE cms-entries/notes/${id}`)).status).toBe(204);
  await create({ id, createdAt: '2026-02-03T04:05:06.007Z' });
  const { status, json } = await manage(`GET cms-entries/notes/${id}`);
  expect([status, json.createdAt]).toEqual([200, '2026-02-03T04:05:06.007Z']);
  expect((await manage(`DELETE cms-entries/notes/${id}`)).status).toBe(204);
  expect((await manage(`GET cms-entries/notes/${id}`)).status).toBe(404);
});
