import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { changeKey, revokeKey } from '#test/support/change-key.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { itLong } from '#test/support/long-run.ts';
import { ageState } from '#test/support/old-log.ts';
import type { TableCall } from '#test/support/table-call.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const perMinute = 600;
process.env['RATE_LIMIT'] = String(perMinute);
const table = testTable();
// The functions are imported from here on: their calls are counted, and their table is behind the proxy.
const proxy = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
const { call } = await import('#test/support/call.ts');
afterAll(() => proxy.stop());

const { start, itIs } = freezeDate();
let kitchen: Workspace;
beforeEach(async () => {
  kitchen = await openWorkspace('kitchen');
});

const list = 'GET /api/public/cms/chefs/list?maxDepth=3';
const products = 'GET /api/public/menu/products';

/** Calls one after the other. @returns their statuses, and the partitions that they read, without the limiter's */
async function ask(request: string, key: string, times: number) {
  await proxy.forget();
  const statuses: number[] = [];
  for (let asked = 0; asked < times; asked++) statuses.push((await send(request, key)).status);
  return { statuses, partitions: partitions() };
}

/** Products require the key in the query. */
const send = (request: string, key: string) =>
  request === products ? call(`${request}?apiKey=${key}`) : call(request, { key });

const partitions = () => proxy.calls.flatMap(partitionsOf).filter((partition) => !partition.startsWith('RATE#'));

const ownKeyOnly = (times: number) => Array(times).fill(expect.stringMatching(/^KEY#/));

/** Fills every cache of the container for the caller. */
async function warm(request: string, key: string): Promise<void> {
  await ageState(kitchen.workspaceId);
  for (let asked = 0; asked < 3; asked++) expect((await send(request, key)).status).toBe(200);
}

describe.each([list, products])('a refused call of %s', (request) => {
  // One check refuses the calls of all routes.
  const itOnce = request === list ? it : itLong;

  it.each(['revoked', 'expired'] as const)('reads only its key, however often it is repeated: %s', async (name) => {
    await warm(request, kitchen.keys.reader);
    const { statuses, partitions: read } = await ask(request, kitchen.keys[name], 4);
    expect(statuses).toEqual([401, 401, 401, 401]);
    expect(read).toEqual(ownKeyOnly(4));
  });

  itOnce('reads only its key from the second call after a revocation on', async () => {
    await warm(request, kitchen.keys.reader);
    await revokeKey(kitchen.workspaceId, 'key_reader');
    expect((await send(request, kitchen.keys.reader)).status).toBe(401);
    const { statuses, partitions: read } = await ask(request, kitchen.keys.reader, 4);
    expect(statuses).toEqual([401, 401, 401, 401]);
    expect(read).toEqual(ownKeyOnly(4));
  });

  itOnce('reads only its key when the key has expired', async () => {
    await warm(request, kitchen.keys.reader);
    await changeKey(kitchen.workspaceId, 'key_reader', { expiresAt: new Date(start + 3_000).toISOString() });
    expect((await send(request, kitchen.keys.reader)).status).toBe(200);
    itIs(3_000);
    const { statuses, partitions: read } = await ask(request, kitchen.keys.reader, 2);
    expect(statuses).toEqual([401, 401]);
    expect(read).toEqual(ownKeyOnly(2));
  });

  itOnce('reads only its key when the key lacks the permission', async () => {
    await warm(request, kitchen.keys.reader);
    const { statuses, partitions: read } = await ask(request, kitchen.keys.powerless, 4);
    expect(statuses).toEqual([403, 403, 403, 403]);
    expect(read).toEqual(ownKeyOnly(4));
  });

  itOnce('reads only its key while its rate is used up', async () => {
    await warm(request, kitchen.keys.reader);
    await table.put({ ...keys.rateBucket(kitchen.workspaceId, 'key_reader'), fullAt: Date.now() + 70_000 });
    expect((await send(request, kitchen.keys.reader)).status).toBe(429);
    const { statuses, partitions: read } = await ask(request, kitchen.keys.reader, 4);
    expect(statuses).toEqual([429, 429, 429, 429]);
    expect(read).toEqual(ownKeyOnly(4));
  });

  itOnce('reads only its key even when many are in parallel', async () => {
    await warm(request, kitchen.keys.reader);
    await revokeKey(kitchen.workspaceId, 'key_reader');
    const many = () => Promise.all(Array.from({ length: 60 }, () => send(request, kitchen.keys.reader)));
    const lines = await capturedLines(async () => {
      expect(new Set((await many()).map(({ status }) => status))).toEqual(new Set([401]));
    });
    // The first few requests after a revocation cannot know it.
    const speculative = lines.filter((line) => JSON.parse(line).dynamodb.calls.Query > 0);
    expect(speculative.length).toBeLessThanOrEqual(8);
    expect(lines).toHaveLength(60);
    await proxy.forget();
    expect(new Set((await many()).map(({ status }) => status))).toEqual(new Set([401]));
    expect(partitions()).toEqual(ownKeyOnly(60));
  });
});

/** The partitions of the items that a call reads or writes. */
function partitionsOf({ operation, input }: TableCall): string[] {
  if (operation === 'Query') return [input.ExpressionAttributeValues[':pk'].S];
  if (operation === 'BatchGetItem') {
    return Object.values<TableCall['input']>(input.RequestItems).flatMap(({ Keys }) =>
      Keys.map(({ pk }: TableCall['input']) => pk.S),
    );
  }
  return [input.Key?.pk.S ?? operation];
}
