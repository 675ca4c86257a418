import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { announcementsOf, type CollectionHead } from '#lib/table/collection/head.ts';
import { cmsCollection, keys } from '#lib/table/keys.ts';
import { type Container, Containers } from './containers.ts';
import { FaultProxy } from './fault-proxy.ts';
import { openWorkspace, type Workspace } from './workspace.ts';
import { type Document, testTable } from './world.ts';

/** The numbers of records of one list that are created, changed and removed. */
export interface ManyWrites {
  readonly made: number;
  readonly changed: number;
  readonly removed: number;
}

/** A few processes do the work of many containers, each of which handles one request at a time. */
const lanes = 12;
/** The number of attempts of the product's client. */
const triesMax = 3;
const withdrawnMilliseconds = 30_000;
const stamp = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}_${index}`);

/** A list whose records many write. */
export interface WrittenList {
  /** The collection whose head announces its changes, if it has one. */
  readonly collection?: string;
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
 * Makes parallel writes of some lists under the limits of AWS. All must succeed, take effect, and leave no announcement.
 */
export async function expectManyWrites(
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
    for (const list of lists) await expectNoAnnouncement(kitchen, list);
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

/** A refused request waits only briefly for its withdrawal, which goes on after the answer. */
async function expectNoAnnouncement({ workspaceId }: Workspace<'records'>, { collection }: WrittenList): Promise<void> {
  if (collection === undefined) return;
  const announced = async () => {
    const head = await testTable().uncached().get(keys.indexHead(workspaceId, collection));
    return announcementsOf(head as object as CollectionHead);
  };
  const until = Date.now() + withdrawnMilliseconds;
  while ((await announced()).length > 0 && Date.now() < until) await pause(100);
  expect(await announced()).toEqual([]);
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
export const products: WrittenList = {
  collection: 'menu',
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
export const entries: WrittenList = {
  collection: cmsCollection('notes'),
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
