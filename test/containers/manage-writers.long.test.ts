import { afterAll, expect, it } from '@jest/globals';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { Containers } from '#test/support/containers.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { openManageKitchen } from '#test/support/manage-kitchen.ts';
import type { Document } from '#test/support/world.ts';

// All of this meets the conflicts and limits of AWS.
const proxy = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
const containers = await Containers.start(4, proxy.url);
afterAll(async () => {
  await containers[Symbol.asyncDispose]();
  await proxy.stop();
  tableClient().destroy();
});

const stamp = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const stored = Array.from({ length: 150 }, (_, index) => `old_${index}`);
const kitchen = await openManageKitchen((document) => {
  document.menu.products = stored.map((id, index) => ({
    ...{ id, slug: id, name: { en: id }, categoryId: 'cat_1', createdAt: stamp(index) },
  }));
});
const key = kitchen.secretOf('all');
const ask = async (number: number, request: string, body?: object) => {
  const [method, path] = request.split(' ');
  const address = `${method} /api/v1/manage/${path}`;
  // Like a client, it repeats what was not answered for good.
  for (let tries = 1; ; tries++) {
    const answer = await containers.at(number + tries).call(address, { key, ...(body && { body }) });
    if (answer.status !== 503 || tries === 10) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200 * Math.random() * tries));
  }
};

it('200 creates, 50 deletes and 100 sold-out changes at once leave exactly what was accepted', async () => {
  proxy.imitateAws();
  const made = Array.from({ length: 200 }, (_, index) => `new_${index}`);
  const removed = stored.slice(0, 50);
  const soldOut = stored.slice(50);
  const jobs = [
    ...made.map((id, index) => async (number: number) => {
      const body = {
        slug: id,
        name: { en: id },
        categoryId: index % 2 ? 'cat_1' : 'cat_2',
        createdAt: stamp(1_000 + index),
      };
      return (await ask(number, `PUT menu-products/${id}`, body)).status;
    }),
    ...removed.map((id) => async (number: number) => (await ask(number, `DELETE menu-products/${id}`)).status),
    ...soldOut.map(
      (id) => async (number: number) => (await ask(number, `PATCH menu-products/${id}`, { soldout: true })).status,
    ),
  ];
  const order = jobs.map((job, index) => ({ job, at: Math.sin(index * 7_919) })).sort((a, b) => a.at - b.at);
  const statuses = await Promise.all(order.map(({ job }, number) => job(number)));
  proxy.heal();
  // A repetition of a delete or a create that was done already finds it done.
  const accepted = new Set([200, 201, 204, 404]);
  expect(statuses.filter((status) => !accepted.has(status))).toEqual([]);
  const expected = [...soldOut, ...made].reverse();
  for (const [number, container] of containers.all.entries()) {
    const ids: string[] = [];
    for (let page = 1; ids.length < expected.length; page++) {
      const query = `sortBy=createdAt&sortOrder=desc&limit=100&page=${page}&apiKey=${key}`;
      const { json } = await container.call(`GET /api/public/menu/products?${query}`);
      expect([number, json.pagination.total]).toEqual([number, expected.length]);
      if (json.data.length === 0) break;
      ids.push(...json.data.map(({ id }: Document) => id));
      for (const { id, soldout } of json.data) expect([id, soldout]).toEqual([id, soldOut.includes(id)]);
    }
    expect([number, ids]).toEqual([number, expected]);
    const { json } = await container.call(`GET /api/public/menu/categories?apiKey=${key}`);
    const counts = Object.fromEntries(json.data.map((one: Document) => [one.id, one.productsCount]));
    expect(counts).toEqual({ cat_1: 200, cat_2: 100 });
  }
});
