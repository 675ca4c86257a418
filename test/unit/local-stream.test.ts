import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { isNewItem, lambdaRecord } from '#lib/local/stream-event.ts';
import { StreamFollower } from '#lib/local/stream-follower.ts';
import { tableClient } from '#lib/table/client.ts';
import { createTable } from '#lib/table/create-table.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';

const tableName = `stream-${randomUUID()}`;
const client = tableClient('import');
let proxy: FaultProxy;
const followers: StreamFollower[] = [];

beforeAll(async () => {
  await createTable(tableName);
  proxy = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
});

afterAll(() => proxy.stop());

afterEach(() => Promise.all(followers.splice(0).map((follower) => follower.stop())));

/** What changes nothing is in no stream: each test has a partition of its own. */
const put = (pk: string, sk: string) => client.send(new PutCommand({ TableName: tableName, Item: { pk, sk, n: 1 } }));

/** Follows the table from now on. @returns the sort keys seen */
async function follow(meanwhile: () => Promise<unknown> = async () => undefined): Promise<string[]> {
  const seen: string[] = [];
  const access = {
    endpoint: proxy.url,
    region: process.env['AWS_REGION'] ?? '',
    accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: 'local',
  };
  followers.push(
    await StreamFollower.start(access, tableName, async (records) => {
      seen.push(...records.map(({ dynamodb }) => dynamodb?.Keys?.['sk']?.S ?? ''));
      await meanwhile();
    }),
  );
  return seen;
}

async function until(isSo: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 20_000; !isSo(); await pause(20)) {
    if (Date.now() > deadline) throw new Error('It did not come to that.');
  }
}

it('hands over what changes from now on, in order, once, and soon', async () => {
  await put('A', 'before');
  const seen = await follow();
  for (const sk of ['1', '2', '3']) await put('A', sk);
  await until(() => seen.length === 3);
  await pause(1_500);
  const startedAt = Date.now();
  await put('A', '4');
  await until(() => seen.length === 4);
  expect(Date.now() - startedAt).toBeLessThan(2_000);
  expect(seen).toEqual(['1', '2', '3', '4']);
});

it('goes on where it was when the engine fails for a while', async () => {
  const seen = await follow();
  await put('B', '1');
  await until(() => seen.length === 1);
  const complaints = jest.spyOn(console, 'error').mockReturnValue(undefined);
  proxy.plan('any', { kind: 'reset before' });
  await put('B', '2');
  await pause(1_500);
  expect(seen).toEqual(['1']);
  proxy.heal();
  await put('B', '3');
  await until(() => seen.length === 3);
  expect(seen).toEqual(['1', '2', '3']);
  expect(complaints).toHaveBeenCalledTimes(1);
  complaints.mockRestore();
});

it('misses nothing when the engine fails before anything was read', async () => {
  const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const seen = await follow();
  proxy.plan('GetRecords', { kind: 'error', type: 'TrimmedDataAccessException', status: 400 });
  for (const sk of ['1', '2']) await put('N', sk);
  await until(() => logged.mock.calls.length > 0);
  proxy.heal();
  await put('N', '3');
  await until(() => seen.includes('3'));
  // What is as old as a minute may come again.
  expect(seen.slice(-3)).toEqual(['1', '2', '3']);
  logged.mockRestore();
});

it('asks seldom while nothing happens', async () => {
  await follow();
  await pause(4_000);
  proxy.heal();
  await pause(3_000);
  expect(proxy.calls.length).toBeLessThanOrEqual(4);
});

it('stops at once, or when what it has handed over is done', async () => {
  let isDone = false;
  const seen = await follow(async () => {
    await pause(300);
    isDone = true;
  });
  await put('C', 'last');
  await until(() => seen.length > 0);
  await followers.at(-1)?.stop();
  expect(isDone).toBe(true);
});

it('makes the record that Lambda would', () => {
  const record = {
    eventID: 'e1',
    eventName: 'INSERT',
    awsRegion: 'ddblocal',
    dynamodb: {
      ApproximateCreationDateTime: new Date('2026-01-01T00:00:00Z'),
      Keys: { pk: { S: 'MAIL#3' }, sk: { S: 'x' } },
      NewImage: { pk: { S: 'MAIL#3' }, sk: { S: 'x' }, attempts: { N: '0' } },
      SequenceNumber: '000000000000000000001',
      SizeBytes: 40,
    },
  } as const;
  expect(lambdaRecord(record)).toEqual({
    ...record,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: 1_767_225_600, StreamViewType: 'NEW_IMAGE' },
  });
  expect(isNewItem(record, 'MAIL#')).toBe(true);
  expect(isNewItem(record, 'W#')).toBe(false);
  expect(isNewItem({ ...record, eventName: 'MODIFY' }, 'MAIL#')).toBe(false);
});
