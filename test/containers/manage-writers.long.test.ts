import { expect, it } from '@jest/globals';
import type { Container } from '#test/support/containers.ts';
import { entries, expectManyWrites, products, type WrittenList } from '#test/support/many-writers.ts';
import type { Document } from '#test/support/world.ts';

type Part = Pick<WrittenList, 'recordOf' | 'patch' | 'store'> &
  Partial<Pick<WrittenList, 'collection' | 'madeAt' | 'removal'>>;

const ownId = /^(made|changed|removed)_/;
const manager = 'access:member:manage';
const revokedAt = '2026-01-01T00:00:00.000Z';

/** The records as a container shows them, in the order of its list. */
async function shownBy(container: Container, kind: string, key: string): Promise<Document[]> {
  const { json } = await container.call(`GET /api/v1/manage/${kind}?limit=100`, { key });
  expect(json.next).toBe(null);
  return json.data.filter(({ id }: Document) => ownId.test(id));
}

/** A kind whose list is in the order of names, which are the ids. The `ids` of categories are in the order of times. */
const listOf = (kind: string, { removal, ...part }: Part, isByTime = false): readonly [string, WrittenList] => [
  kind,
  {
    ...part,
    ...(removal && { removal }),
    addressOf: (id) => `${kind}/${id}`,
    expectShown: async (container, key, ids, changed) => {
      const records = await shownBy(container, kind, key);
      const [[member, value]] = Object.entries(part.patch) as [[string, unknown]];
      const isChanged = (record: Document) => JSON.stringify(record[member]) === JSON.stringify(value);
      const kept = removal ? records.filter((record) => record.revokedAt !== revokedAt) : records;
      expect([kind, kept.map(({ id }) => id)]).toEqual([kind, isByTime ? ids : [...ids].sort()]);
      const patched = records.filter(isChanged).map(({ id }) => id);
      expect([kind, patched.sort()]).toEqual([kind, [...changed].sort()]);
    },
  },
];

/** The kinds without a list of their own for websites. Categories are in the collection of the menu. */
const namedLists: readonly (readonly [string, WrittenList])[] = [
  listOf(
    'menu-categories',
    {
      collection: 'menu',
      recordOf: (id, index, from = 0) => ({
        id,
        slug: id,
        name: { en: id },
        createdAt: new Date(1_000 * (from + index)).toISOString(),
      }),
      patch: { position: 1 },
      store: ({ menu }, records) => menu.categories.push(...records),
    },
    true,
  ),
  listOf('forms', {
    recordOf: (id) => ({ id, slug: id, title: { en: id } }),
    patch: { enabled: false },
    store: ({ forms }, records) => forms.push(...records),
  }),
  listOf('agents', {
    recordOf: (id) => ({ id, name: id }),
    patch: { instructions: 'Be brief.' },
    store: ({ messaging }, records) => messaging.agents.push(...records),
  }),
  listOf('channels', {
    recordOf: (id) => ({ id, type: 'website', identifier: `${id.replace('_', '')}.example.org`, name: id }),
    patch: { agentId: 'agent_1' },
    store: ({ messaging }, records) => messaging.channels.push(...records),
  }),
  // Customers may share an address: then their writes conflict.
  listOf('customers', {
    recordOf: (id) => ({ id, name: id, email: 'shared@example.com' }),
    patch: { phone: '+966500000009' },
    store: ({ messaging }, records) => messaging.customers.push(...records),
  }),
  // All managers share one guard, and all keys of a member another.
  listOf('members', {
    recordOf: (id) => ({ id, name: id, email: `${id}@example.com`, permissions: [manager] }),
    patch: { permissions: [] },
    store: ({ members }, records) => {
      const last = { id: 'mem_last', name: 'Last', email: 'last@example.com', permissions: [manager] };
      members.push(...records, last);
    },
  }),
  listOf('api-keys', {
    madeAt: 'api-keys',
    recordOf: (id) => ({ id, name: id, memberId: 'mem_few', permissions: ['menu:product:read'] }),
    patch: { permissions: ['menu:category:read'] },
    removal: { revokedAt },
    store: ({ apiKeys }, records) => apiKeys.push(...records),
  }),
];

it.each([
  ['menu', products],
  ['database', entries],
])(
  '350 concurrent writes to one %s all succeed, and leave exactly the answered state',
  (_, list) => expectManyWrites([list], { made: 200, changed: 100, removed: 50 }, 4),
  600_000,
);

it('concurrent writes to every other kind all succeed, and leave exactly the answered state', async () => {
  await expectManyWrites(
    namedLists.map(([, list]) => list),
    { made: 15, changed: 10, removed: 5 },
    4,
  );
}, 600_000);
