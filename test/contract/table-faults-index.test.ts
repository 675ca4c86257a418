import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { headKey } from '#lib/table/collection/head.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { putAll, removeAll } from '#lib/table/dynamodb/write-all.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { menuScope, readMenuIndex } from '#lib/table/menu/menu-index.ts';
import { Table } from '#lib/table/table.ts';
import { call } from '#test/support/call.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { timed } from '#test/support/spent-time.ts';
import type { TableCall } from '#test/support/table-call.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const table = testTable();
const kitchens = await Promise.all(Array.from({ length: 5 }, () => openWorkspace('kitchen')));
const kitchen = (number: number): Workspace => {
  const found = kitchens[number];
  if (!found) throw new Error(`${number}`);
  return found;
};
// The functions are imported from here on, so that their table is behind the proxy.
const proxy = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterEach(() => proxy.heal());
afterAll(() => proxy.stop());

const list = ({ keys }: Workspace, query = '') =>
  call(`GET /api/public/cms/chefs/list?maxDepth=0${query}`, { key: keys.editor });
const itemsBelow = (pk: string) => Array.fromAsync(table.query({ pk }));

describe('a table that has lost', () => {
  it.each([
    ['the parts of an index', 0, 'index#cms#chefs', (sk: string) => sk.startsWith('PART#')],
    ['an entry', 1, 'cms#chefs', (sk: string) => sk.endsWith('#chef_3')],
    ['the newest entry', 2, 'cms#chefs', (sk: string) => sk.endsWith('#chef_5')],
    ['all entries', 3, 'cms#chefs', () => true],
  ])('%s: 503 or the whole list, never a shorter one', async (_, number, collection, isLost) => {
    const { workspaceId } = kitchen(number);
    const items = await itemsBelow(`W#${workspaceId}#${collection}`);
    const lost = items.filter(({ sk }) => isLost(sk));
    expect(lost.length).toBeGreaterThan(0);
    await removeAll(table, lost);
    const { result, waited } = await timed(() => list(kitchen(number)));
    expect(waited).toBeLessThan(3_000);
    const { status, json, headers } = result;
    if (status === 200) {
      expect(json).toHaveLength(5);
      expect(headers['x-cms-total']).toBe('5');
    } else {
      expect([status, json.code]).toEqual([503, 'unavailable']);
      expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
    }
    await putAll(table, lost);
    expect((await list(kitchen(number))).json).toHaveLength(5);
  });

  it('an entry still shows the pages without it, with the correct total', async () => {
    const { workspaceId } = kitchen(1);
    const lost = (await itemsBelow(`W#${workspaceId}#cms#chefs`)).filter(({ sk }) => sk.endsWith('#chef_3'));
    await removeAll(table, lost);
    const { status, json, headers } = await list(kitchen(1), '&limit=2');
    expect(status).toBe(200);
    expect(json.map(({ id }: { id: string }) => id)).toEqual(['chef_5', 'chef_4']);
    expect([headers['x-cms-total'], headers['x-cms-has-more']]).toEqual(['5', '1']);
    expect((await list(kitchen(1), '&limit=1&offset=2')).status).toBe(503);
  });
});

/** The keys of the items that a call reads or writes; of a range its partition. */
function partitionsOf({ operation, input }: TableCall): string[] {
  if (operation === 'Query') return [input.ExpressionAttributeValues[':pk'].S];
  if (operation === 'BatchGetItem') {
    return Object.values<TableCall['input']>(input.RequestItems).flatMap(({ Keys }) =>
      Keys.map(({ pk }: TableCall['input']) => pk.S),
    );
  }
  if (operation === 'TransactWriteItems') {
    return input.TransactItems.flatMap((item: object) => Object.values(item)).map(
      ({ Key, Item }: TableCall['input']) => (Key ?? Item).pk.S,
    );
  }
  return [(input.Key ?? input.Item).pk.S];
}

const isConsistent = ({ operation, input }: TableCall): boolean =>
  operation === 'BatchGetItem'
    ? Object.values<TableCall['input']>(input.RequestItems).every(({ ConsistentRead }) => ConsistentRead === true)
    : input.ConsistentRead === true;

const reads = ['BatchGetItem', 'GetItem', 'Query', 'TransactGetItems'];

describe('the table calls of a request', () => {
  it.each([
    ['a list', 'GET /api/public/cms/chefs/list', undefined],
    ['a list with relations', 'GET /api/public/cms/chefs/list?maxDepth=6', undefined],
    ['an entry', 'GET /api/public/cms/chefs/chef_5?maxDepth=6', undefined],
    ['an absent entry', 'GET /api/public/cms/chefs/chef_99', undefined],
    ['an update', 'PATCH /api/public/cms/things/thing_1', { title: 'x', chef: 'chef_2' }],
    ['an update that relates', 'PATCH /api/public/cms/chefs/chef_1', { signature: ['prod_1'], friends: ['chef_2'] }],
    ['an update to another workspace', 'PATCH /api/public/cms/chefs/chef_1', { mentor: 'W#other' }],
    ['a refused update', 'PATCH /api/public/cms/chefs/chef_1', { mentor: 'chef_99' }],
  ])('are consistent, no scan, and in the own workspace only: %s', async (_, request, values) => {
    // For the first time in a container, and with its caches filled.
    for (const round of ['cold', 'warm']) {
      await proxy.forget();
      const { workspaceId, keys } = kitchen(4);
      await call(request, { key: keys.chief, ...(values && { body: { values } }) });
      expect([round, proxy.calls.length > 0]).toEqual([round, true]);
      for (const call of proxy.calls) {
        expect(call.operation).not.toBe('Scan');
        if (reads.includes(call.operation))
          expect([call.operation, isConsistent(call)]).toEqual([call.operation, true]);
        for (const partition of partitionsOf(call)) {
          expect(partition).toMatch(
            new RegExp(`^(?:KEY#[0-9a-f]{64}|(?:W|ACCESS|AUDIT|VERSIONS|USED)#${workspaceId}(?:#.*)?)$`),
          );
        }
      }
    }
  });

  it('read only the key when the key is invalid', async () => {
    for (const key of [kitchen(4).keys.revoked, kitchen(4).keys.expired, 'no-such-key-00000000000000']) {
      await proxy.forget();
      expect((await call('GET /api/public/cms/chefs/list', { key })).status).toBe(401);
      expect(proxy.calls.flatMap(partitionsOf).filter((partition) => !partition.startsWith('KEY#'))).toEqual([]);
    }
  });
});

describe('requests that load the same menu in parallel', () => {
  it('have separate deadlines', async () => {
    const openTable = (signal?: AbortSignal) =>
      new Table({ client: tableClient(), name: table.name, ...(signal && { signal }) });
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const hold = () => {
      reached.resolve();
      return released.promise;
    };
    await proxy.forget();
    // The first reads the head, and then never ends.
    proxy.plan('BatchGetItem', { kind: 'delay', milliseconds: 0 }, 1);
    proxy.plan('BatchGetItem', { kind: 'late', meanwhile: hold }, 1);
    const deadline = new AbortController();
    const first = readMenuIndex(openTable(deadline.signal), kitchen(4));
    await reached.promise;
    const other = openTable();
    await other.get(headKey(menuScope(kitchen(4))));
    const second = readMenuIndex(other, kitchen(4));
    await turn();
    deadline.abort();
    await expect(first).rejects.toBeInstanceOf(Unavailable);
    expect((await second).products.length).toBeGreaterThan(0);
    released.resolve();
  });
});
