import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from '@jest/globals';
import { announcementsOf, type CollectionHead } from '#lib/table/collection/head.ts';
import { keys } from '#lib/table/keys.ts';
import type { Answer } from '#test/support/call.ts';
import { Containers } from '#test/support/containers.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { openManageKitchen } from '#test/support/manage-kitchen.ts';
import { type Document, testTable } from '#test/support/world.ts';

// Transactions that meet are cancelled, as on AWS.
const proxy = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
const containers = await Containers.start(2, proxy.url);
afterAll(async () => {
  await containers[Symbol.asyncDispose]();
  await proxy.stop();
});
/** A few processes do the work of many containers, each of which has one request at a time. */
const lanes = 12;
/** Of the product's own client. */
const tries = 3;
const stamp = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}_${index}`);
const [kept, removed, made] = [idsOf('kept', 12), idsOf('removed', 8), idsOf('made', 24)];
const kitchen = await openManageKitchen((document) => {
  document.menu.products = [...kept, ...removed].map((id, index) => ({
    ...{ id, slug: id, name: { en: id }, categoryId: 'cat_1', createdAt: stamp(index) },
  }));
});
const key = kitchen.secretOf('all');
const categoryOf = (index: number) => (index % 2 ? 'cat_1' : 'cat_2');

/** As the client does, it repeats a write under its Idempotency-Key. */
async function insist(number: number, request: string, body?: object): Promise<Answer> {
  const [method, id] = request.split(' ');
  const headers = { 'Idempotency-Key': randomUUID() };
  for (let tried = 1; ; tried++) {
    const container = containers.at(number + tried);
    const call = `${method} /api/v1/manage/menu-products/${id}`;
    const answer = await container.call(call, { key, headers, ...(body && { body }) });
    if (![409, 503].includes(answer.status) || tried === tries) return answer;
    await pause(1_000 * Number(answer.headers['retry-after']));
  }
}

it('creates, deletes and changes of one menu at once all succeed, and leave exactly what they say', async () => {
  const writes = [
    ...made.map((id, index) => [
      `PUT ${id}`,
      { slug: id, name: { en: id }, categoryId: categoryOf(index), createdAt: stamp(1_000 + index) },
    ]),
    ...kept.map((id) => [`PATCH ${id}`, { soldout: true }]),
    ...removed.map((id) => [`DELETE ${id}`]),
  ] as [string, object?][];
  // Of each kind some at any time.
  const left = [...writes.entries()].sort(([a], [b]) => Math.sin(a * 7_919) - Math.sin(b * 7_919));
  const statuses: string[] = [];
  const lane = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const [number, [request, body]] = next;
      const { status } = await insist(number, request, body);
      statuses.push(`${request.split(' ')[0]} ${status}`);
    }
  };
  proxy.imitateAws();
  await Promise.all(Array.from({ length: lanes }, lane));
  proxy.heal();
  expect(
    Object.fromEntries(
      Map.groupBy(statuses, String)
        .entries()
        .map(([one, { length }]) => [one, length]),
    ),
  ).toEqual({
    'PUT 201': made.length,
    'PATCH 200': kept.length,
    'DELETE 204': removed.length,
  });
  const head = await testTable().get(keys.indexHead(kitchen.workspaceId, 'menu'));
  expect(announcementsOf(head as object as CollectionHead)).toEqual([]);
  const expected = [...kept, ...made].reverse();
  for (const container of containers.all) {
    const query = `sortBy=createdAt&sortOrder=desc&limit=100&apiKey=${key}`;
    const { json } = await container.call(`GET /api/public/menu/products?${query}`);
    expect(json.pagination.total).toBe(expected.length);
    expect(json.data.map(({ id }: Document) => id)).toEqual(expected);
    expect(json.data.filter(({ soldout }: Document) => soldout).map(({ id }: Document) => id)).toEqual(
      [...kept].reverse(),
    );
    const categories = await container.call(`GET /api/public/menu/categories?apiKey=${key}`);
    const counts = Object.fromEntries(categories.json.data.map((one: Document) => [one.id, one.productsCount]));
    expect(counts).toEqual({ cat_1: kept.length + made.length / 2, cat_2: made.length / 2 });
  }
}, 60_000);
