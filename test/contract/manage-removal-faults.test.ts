import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { openManageKitchen } from '#test/support/manage-kitchen.ts';
import { testTable } from '#test/support/world.ts';

const kitchen = await openManageKitchen();
const { manage, workspaceId } = kitchen;
const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
const proxy = await FaultProxy.start(engine);
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterEach(() => proxy.heal());
afterAll(async () => {
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = engine;
  await proxy.stop();
});

const marks = async (kind: string, id: string) =>
  (await Array.fromAsync(testTable().query({ pk: `W#${workspaceId}#removals#${kind}#${id}` }))).length;

const throttled = { kind: 'error', type: 'ProvisionedThroughputExceededException', status: 400 } as const;

describe('the marks of a removal', () => {
  it('go when the look for referrers fails, so that the record can be used at once', async () => {
    proxy.plan('Query', throttled, 1_000);
    expect((await manage('DELETE forms/form_2')).status).toBe(503);
    for (let tries = 0; tries < 200 && (await marks('form', 'form_2')) > 0; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await marks('form', 'form_2')).toBe(0);
    proxy.heal();
    expect((await manage('GET forms/form_2')).status).toBe(200);
  });

  it('go when the record is in use', async () => {
    expect((await manage('DELETE menu-categories/cat_1')).json.code).toBe('in_use');
    expect(await marks('menuCategory', 'cat_1')).toBe(0);
    const product = { slug: 'new', name: { en: 'New' }, categoryId: 'cat_1' };
    expect((await manage('POST menu-products', product)).status).toBe(201);
  });

  it('stay when the removal may have been carried out', async () => {
    // The first transaction makes the marks, the second removes the record.
    proxy.plan('TransactWriteItems', { kind: 'hang' }, 1_000, '"Delete"');
    expect((await manage('DELETE channels/ch_2')).status).toBe(503);
    expect(await marks('channel', 'ch_2')).toBe(10);
  });

  it('are made in spite of a lost reply and a conflict', async () => {
    const CancellationReasons = [{ Code: 'TransactionConflict' }];
    const conflict = { ...throttled, type: 'TransactionCanceledException', more: { CancellationReasons } };
    proxy.plan('TransactWriteItems', { kind: 'reset after' }, 1);
    proxy.plan('TransactWriteItems', conflict, 2);
    expect((await manage('DELETE forms/form_2')).status).toBe(204);
    expect(await marks('form', 'form_2')).toBe(10);
  });
});
