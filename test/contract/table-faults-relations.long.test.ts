import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { type Fault, FaultProxy } from '#test/support/fault-proxy.ts';
import { openKitchen } from '#test/support/kitchen.ts';
import { load } from '#test/support/world.ts';

const kitchen = await openKitchen();
const key = kitchen.keys.chief;
// What is called below is loaded from here on, and finds its table behind the proxy.
const proxy = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterEach(() => proxy.heal());
afterAll(() => proxy.stop());

const update = (id: string, values: object) =>
  call(`PATCH /api/public/cms/chefs/${id}?maxDepth=0`, { key, body: { values } });
const relateTo = (id: string, ...signature: string[]) => update(id, { signature });

/** The chefs that the menu shows with a product. */
async function chefsOf(product: string): Promise<string[]> {
  const { json } = await call(`GET /api/public/menu/products?apiKey=${key}&ids=${product}`);
  return (json.data[0].cmsData.chefs ?? []).map(({ id }: { id: string }) => id).sort();
}

/** More updates than the index of relations takes before it is written anew. */
async function updateOften(id: string): Promise<void> {
  for (let count = 0; count < 30; count++) expect((await update(id, { joined: '2026-01-01' })).status).toBe(200);
}

describe('the index of what relates to products', () => {
  it('follows every update', async () => {
    expect(await chefsOf('prod_3')).toEqual([]);
    expect((await relateTo('chef_1', 'prod_3')).status).toBe(200);
    expect(await chefsOf('prod_3')).toEqual(['chef_1']);
    await updateOften('chef_2');
    expect((await relateTo('chef_2', 'prod_3')).status).toBe(200);
    expect(await chefsOf('prod_3')).toEqual(['chef_1', 'chef_2']);
  });

  it('outlives that it is written anew while it is being written anew', async () => {
    await relateTo('chef_1', 'prod_1');
    const meanwhile = async () => {
      await relateTo('chef_3', 'prod_3');
      await updateOften('chef_2');
    };
    proxy.plan('PutItem', { kind: 'late', meanwhile }, 1);
    await updateOften('chef_5');
    proxy.heal();
    await updateOften('chef_5');
    expect(await chefsOf('prod_3')).toEqual(['chef_2', 'chef_3']);
    await load({ version: 1, workspace: kitchen.document.workspace });
    expect(await chefsOf('prod_1')).toEqual(['chef_1', 'chef_5']);
  });

  it('stays whole when its writing is repeated because the reply was lost, and an update came in between', async () => {
    const meanwhile = () => relateTo('chef_3', 'prod_3');
    proxy.plan('PutItem', { kind: 'reset after', meanwhile }, 1);
    await updateOften('chef_2');
    proxy.heal();
    await relateTo('chef_1', 'prod_3');
    expect(await chefsOf('prod_3')).toEqual(['chef_1', 'chef_2', 'chef_3']);
    await relateTo('chef_1', 'prod_1');
  });

  const faults: Fault[] = [
    { kind: 'unprocessed', parts: 'all' },
    { kind: 'hang' },
    { kind: 'reset before' },
    { kind: 'error', type: 'ProvisionedThroughputExceededException', status: 400 },
  ];
  it.each(faults)('503 within 3 seconds when it cannot be written anew, and nothing is changed: %j', async (fault) => {
    await relateTo('chef_3', 'prod_1');
    proxy.plan('BatchWriteItem', fault);
    let stored = (await call('GET /api/public/cms/chefs/chef_5', { key })).json.joined;
    for (let day = 10; day < 40; day++) {
      const joined = `2026-01-${10 + (day % 20)}`;
      const startedAt = performance.now();
      const { status } = await update('chef_5', { joined });
      expect(performance.now() - startedAt).toBeLessThan(3_000);
      expect([200, 503]).toContain(status);
      if (status === 503) break;
      stored = joined;
    }
    proxy.heal();
    expect((await call('GET /api/public/cms/chefs/chef_5', { key })).json.joined).toBe(stored);
    expect((await update('chef_5', { joined: null })).status).toBe(200);
    expect(await chefsOf('prod_1')).toContain('chef_3');
  });

  it('is written anew with half of every write left unprocessed, and with one reply lost', async () => {
    proxy.plan('BatchWriteItem', { kind: 'reset after' }, 1);
    proxy.plan('BatchWriteItem', { kind: 'unprocessed', parts: 'half' });
    proxy.plan('PutItem', { kind: 'reset after' }, 1);
    await relateTo('chef_3', 'prod_3');
    await updateOften('chef_5');
    proxy.heal();
    expect(await chefsOf('prod_3')).toContain('chef_3');
  });
});
