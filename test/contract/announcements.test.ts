import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { announcementsOf, type CollectionHead } from '#lib/table/collection/head.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { keys } from '#lib/table/keys.ts';
import { Table } from '#lib/table/table.ts';
import { applyChange } from '#lib/table/writer/apply-change.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { openManageKitchen } from '#test/support/manage-kitchen.ts';
import { testTable } from '#test/support/world.ts';

const { workspaceId } = await openManageKitchen();
const proxy = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
const client = tableClient('request', { endpoint: proxy.url });
afterEach(() => proxy.heal());
afterAll(async () => {
  client.destroy();
  await proxy.stop();
});

/** The first write of a connection opens it. */
beforeEach(async () => {
  await write('warm', 2_600);
  proxy.heal();
});

const write = (id: string, milliseconds: number) =>
  applyChange(
    new Table({ client, name: testTable().name, signal: AbortSignal.timeout(milliseconds) }),
    { workspaceId },
    { kind: 'menuProduct', id, record: { id, slug: id, name: { en: id }, categoryId: 'cat_1' } as { id: string } },
    { now: new Date().toISOString() },
  );

const announced = async () =>
  announcementsOf((await testTable().get(keys.indexHead(workspaceId, 'menu'))) as object as CollectionHead);

const failure = (type: string, more = {}) => ({ kind: 'error', type, status: 400, more }) as const;
const CancellationReasons = [{ Code: 'TransactionConflict' }];

describe('a write that ends as unavailable', () => {
  it.each([
    [
      'whose transaction met others',
      'TransactWriteItems',
      failure('TransactionCanceledException', { CancellationReasons }),
    ],
    ['whose reads were throttled', 'BatchGetItem', failure('ProvisionedThroughputExceededException')],
    ['whose reads took too long', 'BatchGetItem', { kind: 'hang' } as const],
  ])('%s takes its announcement back', async (_, operation, fault) => {
    proxy.plan(operation, fault, 1_000);
    const written = write('undone', 700);
    await expect(written).rejects.toThrow(Unavailable);
    expect(proxy.calls.filter((call) => call.operation === 'UpdateItem')).toHaveLength(2);
    expect(await announced()).toEqual([]);
  });

  it('whose announcement was throttled takes back what may stand of it', async () => {
    proxy.plan('UpdateItem', { kind: 'reset after' }, 4);
    await expect(write('undone', 2_600)).rejects.toThrow(Unavailable);
    expect(await announced()).toEqual([]);
  });

  it('and may have been carried out leaves its announcement, so that readers look for it', async () => {
    proxy.plan('TransactWriteItems', { kind: 'hang' }, 1_000);
    await expect(write('maybe', 700)).rejects.toThrow(Unavailable);
    expect(await announced()).toHaveLength(1);
  });
});
