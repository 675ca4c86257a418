import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { announcementsOf, type CollectionHead, newChangeId } from '#lib/table/collection/head.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { keys } from '#lib/table/keys.ts';
import { Table } from '#lib/table/table.ts';
import { applyChange } from '#lib/table/writer/apply-change.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const { workspaceId } = await openWorkspace('records');
const proxy = await FaultProxy.start();
const client = tableClient('request', { endpoint: proxy.url });
afterEach(async () => {
  proxy.heal();
  await settleAll();
});
afterAll(async () => {
  client.destroy();
  await proxy.stop();
});

/** The deadline of a write that ends as unavailable. It suffices for the steps before, even on a busy machine. */
const shortMilliseconds = 1_200;

/** The first write of a connection opens it. */
beforeEach(async () => {
  await write('warm', 2_600);
  proxy.heal();
});

const write = (id: string, milliseconds: number) =>
  applyChange(
    new Table({ client, name: testTable().name }).withTimeout(milliseconds),
    { workspaceId },
    { kind: 'menuProduct', id, record: { id, slug: id, name: { en: id }, categoryId: 'cat_1' } as { id: string } },
    { now: new Date().toISOString() },
  );

const announced = async () =>
  announcementsOf((await testTable().get(keys.indexHead(workspaceId, 'menu'))) as object as CollectionHead);

/** Sets an attribute of the menu's head as another writer would, or removes it. */
const setOnHead = (name: string, value: unknown) =>
  testTable().update(keys.indexHead(workspaceId, 'menu'), {
    UpdateExpression: value === undefined ? 'REMOVE #name' : 'SET #name = :value',
    ExpressionAttributeNames: { '#name': name },
    ...(value !== undefined && { ExpressionAttributeValues: { ':value': value } }),
  });

/** A withdrawal has a little more time than its request. */
async function leftInTheEnd(): Promise<string[]> {
  for (let tries = 0; tries < 200 && (await announced()).length > 0; tries++) await pause(50);
  return announced();
}

const settleAll = async () => {
  for (const name of await announced()) await setOnHead(name, undefined);
};

const failure = (type: string, more = {}) => ({ kind: 'error', type, status: 400, more }) as const;
const CancellationReasons = [{ Code: 'TransactionConflict' }];

describe('a write without concurrent writes', () => {
  it('announces itself in its transaction, and settles it', async () => {
    await write('alone', 2_600);
    expect(proxy.calls.map(({ operation }) => operation).filter((name) => name !== 'BatchGetItem')).toEqual([
      'TransactWriteItems',
      'UpdateItem',
    ]);
    expect(await announced()).toEqual([]);
  });

  it('leaves its announcement if settling fails, and none if its transaction fails', async () => {
    proxy.plan('UpdateItem', { kind: 'hang' }, 1_000);
    await write('unsettled', shortMilliseconds);
    expect(await announced()).toHaveLength(1);
    proxy.heal();
    await settleAll();
    proxy.plan('TransactWriteItems', { kind: 'hang' }, 1_000);
    await expect(write('maybe', shortMilliseconds)).rejects.toThrow(Unavailable);
    expect(await announced()).toEqual([]);
  });
});

describe('a write beside other writes', () => {
  it.each([
    ['an import', { import: 'one' }],
    ['a change under way', { [`p#${newChangeId()}`]: 1 }],
  ])('announces itself first beside %s', async (_, attribute) => {
    const [[name, value]] = Object.entries(attribute) as [[string, unknown]];
    await setOnHead(name, value);
    await write(`second_${randomUUID()}`, 2_600);
    await setOnHead(name, undefined);
    const operations = proxy.calls.map(({ operation }) => operation);
    expect(operations.indexOf('UpdateItem')).toBeLessThan(operations.indexOf('TransactWriteItems'));
    expect(await announced()).toEqual([]);
  });

  it.each([
    ['an import', { import: 'one' }],
    ['a removal', { removing: newChangeId() }],
  ])('announces itself and retries if it finds this after its first look: %s', async (_, attribute) => {
    const [[name, value]] = Object.entries(attribute) as [[string, unknown]];
    proxy.chance = ({ operation }) =>
      operation === 'TransactWriteItems' ? { kind: 'delay', milliseconds: 150 } : undefined;
    const writing = write(`third_${randomUUID()}`, 2_600).catch((error) => error);
    while (!proxy.calls.some(({ operation }) => operation === 'TransactWriteItems')) await pause(5);
    await setOnHead(name, value);
    await writing;
    await setOnHead(name, undefined);
    const writes = proxy.calls
      .map(({ operation }) => operation)
      .filter((operation) => !operation.startsWith('BatchGet'));
    expect(writes.slice(0, 2)).toEqual(['TransactWriteItems', 'UpdateItem']);
    expect(await announced()).toEqual([]);
  });
});

describe('a write whose transaction conflicts', () => {
  const conflict = (...codes: string[]) =>
    failure('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

  it.each(['TransactionConflict', 'ThrottlingError'])('repeats the same transaction after a %s', async (code) => {
    proxy.plan('TransactWriteItems', conflict(code), 4);
    const id = `met_${randomUUID()}`;
    await write(id, 2_600);
    const transactions = proxy.calls.filter(({ operation }) => operation === 'TransactWriteItems');
    const revisions = transactions.map(({ input }) => JSON.stringify(input).match(/"revision":{"S":"([^"]+)"/)?.[1]);
    // The first transaction announces the change. Then the change is prepared a second time, and no third time.
    expect(revisions).toHaveLength(5);
    expect(new Set(revisions.slice(1)).size).toBe(1);
    expect(await announced()).toEqual([]);
  });

  it('is not prepared again if the transaction is stored in spite of an error', async () => {
    proxy.plan('TransactWriteItems', conflict('TransactionConflict'), 2);
    proxy.plan('TransactWriteItems', { kind: 'reset after' }, 1);
    proxy.plan('TransactWriteItems', conflict('TransactionConflict'), 1);
    const id = `lost_${randomUUID()}`;
    expect((await write(id, 2_600)).status).toBe('created');
    expect(await announced()).toEqual([]);
  });
});

describe('a write that ends as unavailable', () => {
  let writing: Promise<unknown>;
  /** The first transaction conflicts, so the change announces itself beforehand. */
  const meetOthers = () =>
    proxy.plan('TransactWriteItems', failure('TransactionCanceledException', { CancellationReasons }), 1);

  it.each([
    ['whose reads were throttled', failure('ProvisionedThroughputExceededException')],
    ['whose reads took too long', { kind: 'hang' } as const],
  ])('announces nothing if it is one %s', async (_, fault) => {
    proxy.plan('BatchGetItem', fault, 1_000);
    await expect(write('undone', shortMilliseconds)).rejects.toThrow(Unavailable);
    expect(proxy.calls.filter(({ operation }) => operation === 'UpdateItem')).toEqual([]);
  });

  it.each([
    [
      'whose transaction conflicted repeatedly',
      'TransactWriteItems',
      failure('TransactionCanceledException', { CancellationReasons }),
    ],
    [
      'whose announcement was answered late',
      'UpdateItem',
      { kind: 'late', meanwhile: () => writing.catch(() => undefined) } as const,
    ],
  ])('takes its announcement back if it is one %s', async (_, operation, fault) => {
    meetOthers();
    proxy.plan(operation, fault, operation === 'UpdateItem' ? 1 : 1_000);
    writing = write('undone', shortMilliseconds);
    await expect(writing).rejects.toThrow(Unavailable);
    expect(await leftInTheEnd()).toEqual([]);
    expect(proxy.calls.filter((call) => call.operation === 'UpdateItem')).toHaveLength(2);
  });

  it('takes back a throttled announcement, which may be stored', async () => {
    meetOthers();
    proxy.plan('UpdateItem', { kind: 'reset after' }, 4);
    await expect(write('undone', 2_600)).rejects.toThrow(Unavailable);
    expect(await leftInTheEnd()).toEqual([]);
  });

  it('leaves its announcement for readers if it may have been carried out', async () => {
    meetOthers();
    proxy.plan('TransactWriteItems', { kind: 'hang' }, 1_000);
    await expect(write('maybe', shortMilliseconds)).rejects.toThrow(Unavailable);
    expect(await announced()).toHaveLength(1);
  });
});
