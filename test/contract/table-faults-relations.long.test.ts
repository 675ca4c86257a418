import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { type Fault, FaultProxy } from '#test/support/fault-proxy.ts';
import { timed } from '#test/support/spent-time.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('kitchen');
const key = kitchen.keys.chief;
// The functions are imported from here on, so that their table is behind the proxy.
const proxy = await FaultProxy.start();
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

/** Updates an entry many times. */
async function updateOften(id: string): Promise<void> {
  for (let count = 0; count < 30; count++) expect((await update(id, { joined: '2026-01-01' })).status).toBe(200);
}

describe('the index of relations to products', () => {
  it('follows every update', async () => {
    expect(await chefsOf('prod_3')).toEqual([]);
    expect((await relateTo('chef_1', 'prod_3')).status).toBe(200);
    expect(await chefsOf('prod_3')).toEqual(['chef_1']);
    await updateOften('chef_2');
    expect((await relateTo('chef_2', 'prod_3')).status).toBe(200);
    expect(await chefsOf('prod_3')).toEqual(['chef_1', 'chef_2']);
  });

  const faults: Fault[] = [
    { kind: 'hang' },
    { kind: 'reset before' },
    { kind: 'error', type: 'ProvisionedThroughputExceededException', status: 400 },
  ];
  it.each(faults)(
    'answers 503 within 3 seconds when a change cannot be stored, and changes nothing: %j',
    async (fault) => {
      await relateTo('chef_3', 'prod_1');
      proxy.plan('TransactWriteItems', fault);
      const { result, waited } = await timed(() => relateTo('chef_3', 'prod_3'));
      expect(result.status).toBe(503);
      expect(waited).toBeLessThan(3_000);
      proxy.heal();
      expect((await call('GET /api/public/cms/chefs/chef_3?maxDepth=0', { key })).json.signature).toEqual([
        { id: 'prod_1' },
      ]);
      expect(await chefsOf('prod_1')).toContain('chef_3');
      expect((await relateTo('chef_3', 'prod_3')).status).toBe(200);
      expect(await chefsOf('prod_3')).toContain('chef_3');
    },
  );

  it('shows a stored update whose answers were lost', async () => {
    proxy.plan('TransactWriteItems', { kind: 'reset after' }, 1);
    expect((await relateTo('chef_2', 'prod_3')).status).toBe(200);
    expect(await chefsOf('prod_3')).toContain('chef_2');
    await relateTo('chef_2');
    expect(await chefsOf('prod_3')).not.toContain('chef_2');
  });
});
