import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { type Container, Containers } from '#test/support/containers.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import type { Document } from '#test/support/world.ts';

/** The numbers of records of one list that are created, changed and removed. */
interface ManyWrites {
  readonly made: number;
  readonly changed: number;
  readonly removed: number;
}

/** A few processes do the work of many containers, each of which handles one request at a time. */
const lanes = 12;
/** The number of attempts of the product's client. */
const triesMax = 3;
const stamp = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}_${index}`);

/** A list whose records many write. */
interface WrittenList {
  /** The address of a record. */
  readonly addressOf: (id: string) => string;
  /** Where a record is made. @default PUT at its address */
  readonly madeAt?: string;
  readonly recordOf: (id: string, index: number, from?: number) => object;
  readonly patch: object;
  /** How a record is removed. @default DELETE */
  readonly removal?: object;
  readonly store: (document: Document, records: readonly object[]) => void;
  /** Compares the contents of a container with the ids in their order, and with those that the patch has changed. */
  readonly expectShown: (
    container: Container,
    key: string,
    ids: readonly string[],
    changed: readonly string[],
  ) => Promise<void>;
}

type Write = readonly [request: string, body?: object];

/**
 * Makes parallel writes of some lists under the limits of AWS. All must succeed and take effect.
 */
async function expectManyWrites(
  lists: readonly WrittenList[],
  count: ManyWrites,
  containerCount: number,
): Promise<void> {
  const ids = {
    made: idsOf('made', count.made),
    changed: idsOf('changed', count.changed),
    removed: idsOf('removed', count.removed),
  };
  const stored = [...ids.changed, ...ids.removed];
  const kitchen = await openWorkspace('records', (document) => {
    for (const list of lists)
      list.store(
        document,
        stored.map((id, index) => list.recordOf(id, index)),
      );
  });
  const writes = lists.flatMap((list) => writesOf(list, ids));
  const proxy = await FaultProxy.start();
  const containers = await Containers.start(containerCount, proxy.url);
  try {
    proxy.imitateAws();
    const refused = (await answersOf(kitchen, containers, writes)).filter(({ isExpected }) => !isExpected);
    expect(refused).toEqual([]);
    proxy.heal();
    const key = kitchen.secretOf('all');
    for (const container of containers.all) {
      for (const list of lists) {
        await list.expectShown(container, key, [...ids.changed, ...ids.made].reverse(), [...ids.changed].reverse());
      }
    }
  } finally {
    await containers[Symbol.asyncDispose]();
    await proxy.stop();
  }
}

function writesOf(list: WrittenList, ids: Readonly<Record<keyof ManyWrites, readonly string[]>>): Write[] {
  const { addressOf, madeAt, recordOf, patch, removal } = list;
  return [
    ...ids.made.map(
      (id, index): Write => [
        madeAt === undefined ? `PUT ${addressOf(id)}` : `POST ${madeAt}`,
        recordOf(id, index, 1_000),
      ],
    ),
    ...ids.changed.map((id): Write => [`PATCH ${addressOf(id)}`, patch]),
    ...ids.removed.map((id): Write => (removal ? [`PATCH ${addressOf(id)}`, removal] : [`DELETE ${addressOf(id)}`])),
  ];
}

/** The statuses of each method when it succeeds. */
const expected: Readonly<Record<string, number>> = { POST: 201, PUT: 201, PATCH: 200, DELETE: 204 };

async function answersOf(kitchen: Workspace<'records'>, containers: Containers, writes: readonly Write[]) {
  // Of each kind some at any time.
  const left = [...writes.entries()].sort(([a], [b]) => Math.sin(a * 7_919) - Math.sin(b * 7_919));
  const answers: { readonly request: string; readonly status: number; readonly isExpected: boolean }[] = [];
  const lane = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [number, [request, body]] = next;
      const status = await writeWithRetries(kitchen, containers, number, request, body);
      answers.push({ request, status, isExpected: status === expected[request.split(' ')[0] ?? ''] });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return answers;
}

/** Retries a write under its Idempotency-Key, as the client does. */
async function writeWithRetries(
  { secretOf }: Workspace<'records'>,
  containers: Containers,
  number: number,
  request: string,
  body: object | undefined,
): Promise<number> {
  const [method, address] = request.split(' ');
  const options = { key: secretOf('all'), headers: { 'Idempotency-Key': randomUUID() }, ...(body && { body }) };
  for (let tries = 1; ; tries++) {
    const container = containers.at(number + tries);
    const { status, headers } = await container.call(`${method} /api/v1/manage/${address}`, options);
    // A retry of an unanswered removal finds no record.
    if (method === 'DELETE' && tries > 1 && status === 404) return 204;
    if (![409, 503].includes(status) || tries === triesMax) return status;
    await pause(1_000 * Number(headers['retry-after']));
  }
}

const pageLength = 100;

/** The products of a menu, and their numbers by category. */
const products: WrittenList = {
  addressOf: (id) => `menu-products/${id}`,
  recordOf: (id, index, from = 0) => ({
    id,
    slug: id,
    name: { en: id },
    categoryId: index % 2 ? 'cat_1' : 'cat_2',
    createdAt: stamp(from + index),
  }),
  patch: { soldout: true },
  store: ({ menu }, records) => Object.assign(menu, { products: records }),
  expectShown: async (container, key, ids, changed) => {
    const shown: Document[] = [];
    for (let page = 1; page <= Math.ceil(ids.length / pageLength); page++) {
      const query = `sortBy=createdAt&sortOrder=desc&limit=${pageLength}&page=${page}&apiKey=${key}`;
      const { json } = await container.call(`GET /api/public/menu/products?${query}`);
      expect(json.pagination.total).toBe(ids.length);
      shown.push(...json.data);
    }
    expect(shown.map(({ id }) => id)).toEqual(ids);
    expect(shown.filter(({ soldout }) => soldout).map(({ id }) => id)).toEqual(changed);
    const { json } = await container.call(`GET /api/public/menu/categories?apiKey=${key}`);
    const half = ids.length / 2;
    expect(json.data.map((category: Document) => [category.id, category.productsCount]).sort()).toEqual([
      ['cat_1', half],
      ['cat_2', half],
    ]);
  },
};

/** The entries of a database, all of which relate to a product. Its `cmsData` counts them, too. */
const entries: WrittenList = {
  addressOf: (id) => `cms-entries/notes/${id}`,
  recordOf: (id, index, from = 0) => ({
    id,
    modelId: 'notes',
    createdAt: stamp(from + index),
    values: { title: id, products: ['prod_1'] },
  }),
  patch: { values: { rank: 1 } },
  store: (document, records) => {
    const products = {
      key: 'products',
      name: { en: 'Products' },
      type: 'relation',
      relation: { to: 'menu:product', many: true },
    };
    const fields = [
      { key: 'title', name: { en: 'Title' }, type: 'text' },
      { key: 'rank', name: { en: 'Rank' }, type: 'number' },
      products,
    ];
    document.cms = { models: [{ id: 'notes', name: { en: 'Notes' }, fields }], entries: records };
  },
  expectShown: async (container, key, ids, changed) => {
    const list = async (query: string) => {
      const { json, headers } = await container.call(`GET /api/public/cms/notes/list?${query}`, { key });
      return { ids: json.map(({ id }: Document) => id), total: Number(headers['x-cms-total']) };
    };
    for (let offset = 0; offset < ids.length; offset += pageLength) {
      const page = await list(`maxDepth=0&limit=${pageLength}&offset=${offset}`);
      expect(page).toEqual({ ids: ids.slice(offset, offset + pageLength), total: ids.length });
    }
    const filtered = await list(`maxDepth=0&limit=${pageLength}&filter[rank]=1`);
    expect(filtered).toEqual({ ids: changed.slice(0, pageLength), total: changed.length });
    const { json } = await container.call(`GET /api/public/menu/products?ids=prod_1&apiKey=${key}`);
    expect(json.data[0].cmsData.notes.map(({ id }: Document) => id).sort()).toEqual([...ids].sort());
  },
};

type Part = Pick<WrittenList, 'recordOf' | 'patch' | 'store'> & Partial<Pick<WrittenList, 'madeAt' | 'removal'>>;

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
