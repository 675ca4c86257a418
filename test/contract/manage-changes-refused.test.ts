import { expect, it } from '@jest/globals';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('records');
const proxy = await startTableProxy();
const { call } = await import('#test/support/call.ts');

const kinds = ['menu-products', 'menu-categories', 'forms'];
const changes = Array.from({ length: 99 }, (_, number) => ({
  method: ['POST', 'PUT', 'PATCH'][number % 3],
  kind: kinds[number % kinds.length],
  id: `new_${number}`,
  record: { slug: `slug-${number}`, name: { en: 'Name' }, title: { en: 'Title' } },
}));

async function readings(key: string, items: readonly object[]) {
  await proxy.forget();
  const { json } = await call('POST /api/v1/manage/changes', { key, body: { changes: items } });
  const read = proxy.calls.flatMap(({ input }) =>
    Object.values<{ Keys?: readonly unknown[] }>(input.RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys),
  );
  return { statuses: json.results.map(({ status }: { status: number }) => status), read };
}

it.each(['none', 'messaging:agent:manage', 'member'])(
  'changes that the caller may not make read nothing but its key: %s',
  async (name) => {
    const items = name === 'member' ? changes.filter(({ kind }) => kind !== 'menu-products') : changes;
    const { statuses, read } = await readings(kitchen.secretOf(name), items);
    expect(new Set(statuses)).toEqual(new Set([403]));
    expect(statuses).toHaveLength(items.length);
    expect(read.length).toBeLessThanOrEqual(2);
  },
);

it('a change between refused ones is made, and each result is at its place', async () => {
  const id = 'cat_between';
  const category = { method: 'PUT', kind: 'menu-categories', id, record: { slug: 'between', name: { en: 'Between' } } };
  const form = { method: 'DELETE', kind: 'forms', id: 'form_1' };
  const { statuses } = await readings(kitchen.secretOf('menu:category:manage'), [form, category, form, category]);
  expect(statuses).toEqual([403, 201, 403, 200]);
});
