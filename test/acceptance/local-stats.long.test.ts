import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Costs } from '#lib/local/stats.ts';
import { LocalService } from '#test/support/processes.ts';

const headers = {
  authorization: 'Bearer saffron-editor-key-00000000',
  'content-type': 'application/json',
};

let service: LocalService;
let url = '';

beforeAll(async () => {
  service = await LocalService.start();
  ({ url } = service);
});

afterAll(async () => {
  await service.stop();
});

const stats = async (): Promise<Costs> => (await fetch(`${url}/_local/stats`)).json() as Promise<Costs>;

async function costOf(path: string, init: RequestInit = {}): Promise<{ status: number; costs: Costs }> {
  expect(await fetch(`${url}/_local/stats`, { method: 'DELETE' })).toMatchObject({ status: 204 });
  const { status } = await fetch(url + path, { headers, ...init });
  return { status, costs: await stats() };
}

const free = { dynamodb: { calls: {}, readUnits: 0, writeUnits: 0 }, s3: { calls: {} } };

it('the cost report of the local service contains the cost of requests since the reset, without the import of the demo', async () => {
  expect(await stats()).toEqual(free);
  const path = '/api/public/cms/chefs/list?limit=1&fields=name';
  await costOf(path);
  const once = await costOf(path);
  // The key, the log, and the page. In the minute after the import, the head of the list, too.
  expect(once).toEqual({
    status: 200,
    costs: { dynamodb: { calls: { BatchGetItem: 2, Query: 2 }, readUnits: 4, writeUnits: 0 }, s3: { calls: {} } },
  });
  await fetch(url + path, { headers });
  expect((await stats()).dynamodb).toEqual({ calls: { BatchGetItem: 4, Query: 4 }, readUnits: 8, writeUnits: 0 });
});

it('the cost report of the local service counts writes apart from reads', async () => {
  const body = JSON.stringify({ values: { name: { en: 'Noura' } } });
  const { status, costs } = await costOf('/api/public/cms/chefs/chef_noura?fields=id', { method: 'PATCH', body });
  expect(status).toBe(200);
  expect(costs.dynamodb.readUnits).toBeGreaterThanOrEqual(1);
  expect(costs.dynamodb.writeUnits).toBeGreaterThanOrEqual(1);
});

it('the cost report of the local service counts requests that are refused', async () => {
  const unknown = await costOf('/api/public/cms/chefs/list', { headers: { 'x-api-key': 'nobody-has-this-key-000' } });
  expect(unknown).toMatchObject({ status: 401, costs: { dynamodb: { calls: { BatchGetItem: 1 } } } });
  expect(await costOf('/nowhere')).toEqual({ status: 404, costs: free });
});
