import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AwsLimits } from '#test/support/aws-limits.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import type { TableCall } from '#test/support/table-call.ts';
import { testTable } from '#test/support/world.ts';

const table = testTable().name;
const proxy = await FaultProxy.start();
const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: proxy.url, maxAttempts: 1 }));
afterAll(() => proxy.stop());

const key = (pk: string, sk: string) => ({ pk: { S: pk }, sk: { S: sk } });
const put = (pk: string, sk: string): TableCall => ({ operation: 'PutItem', input: { Item: key(pk, sk) } });
const get = (pk: string): TableCall => ({ operation: 'GetItem', input: { Key: key(pk, '1') } });
const transaction = (...items: [pk: string, sk: string][]): TableCall => ({
  operation: 'TransactWriteItems',
  input: { TransactItems: items.map(([pk, sk]) => ({ Update: { Key: key(pk, sk) } })) },
});

function allowed(limits: AwsLimits, call: TableCall) {
  const verdict = limits.judge(call);
  if ('refusal' in verdict) throw new Error(JSON.stringify(verdict.refusal));
  return verdict;
}
function refused(limits: AwsLimits, call: TableCall) {
  const verdict = limits.judge(call);
  if (!('refusal' in verdict)) throw new Error('It was allowed.');
  return verdict.refusal;
}
const used = (CapacityUnits: number) => ({ ConsumedCapacity: { CapacityUnits } });

describe('writes of one item at a time', () => {
  it('a transaction that finds an item in another is cancelled, with a reason for each of its items', async () => {
    const limits = new AwsLimits();
    const first = allowed(limits, transaction(['p', '1'], ['p', '2']));
    expect(refused(limits, transaction(['q', '1'], ['p', '2']))).toMatchObject({
      type: 'TransactionCanceledException',
      more: {
        CancellationReasons: [
          { Code: 'None' },
          { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
        ],
      },
    });
    await first.end();
    await allowed(limits, transaction(['p', '2'])).end();
  });

  it('a plain write that finds its item in a transaction is refused, one of another item is not', async () => {
    const limits = new AwsLimits();
    const first = allowed(limits, transaction(['p', '1']));
    expect(refused(limits, put('p', '1')).type).toBe('TransactionConflictException');
    await allowed(limits, put('p', '2')).end();
    await first.end();
    await allowed(limits, put('p', '1')).end();
  });

  it('a transaction that finds an item being written is cancelled, two plain writes of one item are not', async () => {
    const limits = new AwsLimits();
    const writes = [allowed(limits, put('p', '1')), allowed(limits, put('p', '1'))];
    await writes[0]?.end();
    expect(refused(limits, transaction(['p', '1'])).type).toBe('TransactionCanceledException');
    await writes[1]?.end();
    await allowed(limits, transaction(['p', '1'])).end();
  });

  it('reads find no conflict', async () => {
    const limits = new AwsLimits();
    const first = allowed(limits, transaction(['p', '1']));
    await allowed(limits, get('p')).end();
    await first.end();
  });
});

describe('units of one partition key', () => {
  it('1,000 of writes and 3,000 of reads may be used in a second, each on their own', async () => {
    let now = 0;
    const limits = new AwsLimits(() => now);
    await allowed(limits, put('p', '1')).end(used(999));
    await allowed(limits, put('p', '1')).end(used(101));
    expect(refused(limits, put('p', '1')).type).toBe('ProvisionedThroughputExceededException');
    expect(refused(limits, transaction(['q', '1'], ['p', '1'])).more).toMatchObject({
      CancellationReasons: [{ Code: 'None' }, { Code: 'ProvisionedThroughputExceeded' }],
    });
    await allowed(limits, put('q', '1')).end(used(1));
    await allowed(limits, get('p')).end(used(3_000));
    expect(refused(limits, get('p')).type).toBe('ProvisionedThroughputExceededException');
    now = 101;
    await allowed(limits, put('p', '1')).end(used(1));
    await allowed(limits, get('p')).end(used(1));
  });
});

describe('a proxy that imitates AWS', () => {
  const name = randomUUID();
  const items = ['1', '2'].map((sk) => ({ pk: name, sk }));
  const transact = () =>
    client.send(
      new TransactWriteCommand({ TransactItems: items.map((Item) => ({ Put: { TableName: table, Item } })) }),
    );
  beforeEach(() => proxy.heal());

  it('cancels one of two transactions on the same items, with an error that the SDK can read', async () => {
    // Long enough that the second call meets the first, on any machine.
    proxy.imitateAws(new AwsLimits(undefined, 400));
    const ends = await Promise.allSettled([transact(), transact()]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const conflict = { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' };
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { name: 'TransactionCanceledException', CancellationReasons: [conflict, conflict] },
    });
    await transact();
  });

  it('lets both through when it no longer does', async () => {
    await Promise.all([transact(), transact()]);
  });

  it('refuses a partition key that has used its units, and leaves its part of a batch unprocessed', async () => {
    proxy.imitateAws(new AwsLimits(() => 0));
    const large = { pk: name, sk: '3', text: 'x'.repeat(300_000) };
    const putLarge = () =>
      client.send(new PutCommand({ TableName: table, Item: large, ReturnConsumedCapacity: 'TOTAL' }));
    const ends = await Promise.allSettled([putLarge(), putLarge(), putLarge(), putLarge(), putLarge(), putLarge()]);
    expect(ends.map(({ status }) => status)).toContain('fulfilled');
    await expect(putLarge()).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
    const other = { pk: `${name}-other`, sk: '1' };
    const write = { [table]: [large, other].map((Item) => ({ PutRequest: { Item } })) };
    const { UnprocessedItems } = await client.send(new BatchWriteCommand({ RequestItems: write }));
    expect(UnprocessedItems?.[table]?.map(({ PutRequest }) => PutRequest?.Item?.['sk'])).toEqual(['3']);
    const read = { [table]: { Keys: [large, other].map(({ pk, sk }) => ({ pk, sk })) } };
    expect((await client.send(new BatchGetCommand({ RequestItems: read }))).UnprocessedKeys).toEqual({});
  });
});
