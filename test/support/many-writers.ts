import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { announcementsOf, type CollectionHead } from '#lib/table/collection/head.ts';
import { keys } from '#lib/table/keys.ts';
import { type Container, Containers } from './containers.ts';
import { FaultProxy } from './fault-proxy.ts';
import { type ManageKitchen, openManageKitchen } from './manage-kitchen.ts';
import { type Document, testTable } from './world.ts';

/** How many products of one menu are made, changed and removed. */
export interface ManyWrites {
  readonly made: number;
  readonly changed: number;
  readonly removed: number;
}

/** A few processes do the work of many containers, each of which has one request at a time. */
const lanes = 12;
/** Of the product's own client. */
const triesMax = 3;
const withdrawnMilliseconds = 30_000;
const stamp = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}_${index}`);

/**
 * Makes parallel writes of one menu under the limits of AWS. All must succeed, take effect, and leave no announcement.
 */
export async function expectManyWrites(count: ManyWrites, containerCount: number): Promise<void> {
  const [made, changed, removed] = [
    idsOf('made', count.made),
    idsOf('changed', count.changed),
    idsOf('removed', count.removed),
  ];
  const kitchen = await openManageKitchen((document) => {
    document.menu.products = [...changed, ...removed].map((id, index) => productOf(id, index));
  });
  const writes = [
    ...made.map((id, index) => [`PUT ${id}`, productOf(id, index, 1_000)] as const),
    ...changed.map((id) => [`PATCH ${id}`, { soldout: true }] as const),
    ...removed.map((id) => [`DELETE ${id}`] as const),
  ];
  const proxy = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  const containers = await Containers.start(containerCount, proxy.url);
  try {
    proxy.imitateAws();
    expect(await statusesOf(kitchen, containers, writes)).toEqual({
      'PUT 201': made.length,
      'PATCH 200': changed.length,
      'DELETE 204': removed.length,
    });
    proxy.heal();
    await expectNoAnnouncement(kitchen);
    for (const container of containers.all) await expectMenu(container, kitchen, changed, made);
  } finally {
    await containers[Symbol.asyncDispose]();
    await proxy.stop();
  }
}

/** A refused request waits only briefly for its withdrawal, which goes on after the answer. */
async function expectNoAnnouncement({ workspaceId }: ManageKitchen): Promise<void> {
  const announced = async () => {
    const head = await testTable().uncached().get(keys.indexHead(workspaceId, 'menu'));
    return announcementsOf(head as object as CollectionHead);
  };
  const until = Date.now() + withdrawnMilliseconds;
  while ((await announced()).length > 0 && Date.now() < until) await pause(100);
  expect(await announced()).toEqual([]);
}

const productOf = (id: string, index: number, from = 0) => ({
  ...{ id, slug: id, name: { en: id }, categoryId: index % 2 ? 'cat_1' : 'cat_2', createdAt: stamp(from + index) },
});

async function statusesOf(
  kitchen: ManageKitchen,
  containers: Containers,
  writes: readonly (readonly [request: string, body?: object])[],
): Promise<Record<string, number>> {
  // Of each kind some at any time.
  const left = [...writes.entries()].sort(([a], [b]) => Math.sin(a * 7_919) - Math.sin(b * 7_919));
  const statuses: Record<string, number> = {};
  const lane = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [number, [request, body]] = next;
      const status = `${request.split(' ')[0]} ${await insist(kitchen, containers, number, request, body)}`;
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return statuses;
}

/** As the client does, it repeats a write under its Idempotency-Key. */
async function insist(
  { secretOf }: ManageKitchen,
  containers: Containers,
  number: number,
  request: string,
  body: object | undefined,
): Promise<number> {
  const [method, id] = request.split(' ');
  const options = { key: secretOf('all'), headers: { 'Idempotency-Key': randomUUID() }, ...(body && { body }) };
  for (let tries = 1; ; tries++) {
    const container = containers.at(number + tries);
    const { status, headers } = await container.call(`${method} /api/v1/manage/menu-products/${id}`, options);
    // A removal that was carried out without being answered finds nothing the next time.
    if (method === 'DELETE' && tries > 1 && status === 404) return 204;
    if (![409, 503].includes(status) || tries === triesMax) return status;
    await pause(1_000 * Number(headers['retry-after']));
  }
}

async function expectMenu(
  container: Container,
  { secretOf }: ManageKitchen,
  changed: readonly string[],
  made: readonly string[],
): Promise<void> {
  const key = secretOf('all');
  const expected = [...changed, ...made].reverse();
  const shown: Document[] = [];
  for (let page = 1; page <= Math.ceil(expected.length / 100); page++) {
    const query = `sortBy=createdAt&sortOrder=desc&limit=100&page=${page}&apiKey=${key}`;
    const { json } = await container.call(`GET /api/public/menu/products?${query}`);
    expect(json.pagination.total).toBe(expected.length);
    shown.push(...json.data);
  }
  expect(shown.map(({ id }) => id)).toEqual(expected);
  expect(shown.filter(({ soldout }) => soldout).map(({ id }) => id)).toEqual([...changed].reverse());
  const { json } = await container.call(`GET /api/public/menu/categories?apiKey=${key}`);
  const half = expected.length / 2;
  expect(json.data.map((one: Document) => [one.id, one.productsCount]).sort()).toEqual([
    ['cat_1', half],
    ['cat_2', half],
  ]);
}
