import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { startTriggers, type Triggers } from '#lib/local/triggers.ts';
import { tableClient } from '#lib/table/client.ts';
import { createTable } from '#lib/table/create-table.ts';

const tableName = `triggers-${randomUUID()}`;
const client = tableClient('import');
const access = {
  endpoint: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
  region: process.env['AWS_REGION'] ?? '',
  accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
  secretAccessKey: 'local',
};

type Handle = (event: DynamoDBStreamEvent) => Promise<unknown>;
let handle: Handle;
let folder: string;
let triggers: Triggers;

beforeAll(async () => {
  await createTable(tableName);
  folder = await mkdtemp(join(tmpdir(), 'triggers-'));
  await writeFile(join(folder, 'index.cjs'), 'exports.handler = (event, context) => globalThis.handle(event, context)');
});

afterAll(() => rm(folder, { recursive: true }));

beforeEach(() => {
  // A bundle lives in a world of its own; this is the one thing the two share.
  (globalThis as { handle?: Handle }).handle = (event) => handle(event);
});

afterEach(() => triggers.stop());

const start = async (trigger: { newItems?: { partitionKeyPrefix: string }; everyMinutes?: number }) => {
  triggers = await startTriggers({
    triggers: [{ name: 'some-work', trigger: { summary: '', uses: [], ...trigger } }],
    bundles: [{ name: 'some-work', folder, file: join(folder, 'index.cjs') }],
    access,
    tableName,
  });
};

const put = (pk: string, sk: string, rest: object = {}) =>
  client.send(new PutCommand({ TableName: tableName, Item: { pk, sk, ...rest } }));

const namesOf = (records: readonly DynamoDBRecord[]) => records.map(({ dynamodb }) => dynamodb?.Keys?.['sk']?.S ?? '');

async function until(isSo: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 15_000; !isSo(); await pause(20)) {
    if (Date.now() > deadline) throw new Error('It did not come to that.');
  }
}

it('starts a function with the new items it asks for, and with nothing else', async () => {
  const seen: string[] = [];
  handle = async ({ Records }) => {
    seen.push(...namesOf(Records));
  };
  await start({ newItems: { partitionKeyPrefix: 'JOB#' } });
  await put('OTHER#1', 'other');
  await put('JOB#1', 'first');
  await put('JOB#1', 'first', { changed: true });
  await put('JOB#2', 'second');
  await until(() => seen.length >= 2);
  await pause(300);
  expect(seen).toEqual(['first', 'second']);
});

it('hands over again from the first record that failed on, and goes on behind it', async () => {
  const batches: string[][] = [];
  handle = async ({ Records }) => {
    const failing = batches.flat().includes('c') ? undefined : Records[namesOf(Records).indexOf('c')];
    batches.push(namesOf(Records));
    return { batchItemFailures: failing ? [{ itemIdentifier: failing.dynamodb?.SequenceNumber }] : [] };
  };
  await start({ newItems: { partitionKeyPrefix: 'AGAIN#' } });
  for (const sk of ['a', 'b', 'c', 'd', 'e']) await put('AGAIN#1', sk);
  await until(() => batches.flat().includes('e') && batches.flat().filter((sk) => sk === 'c').length === 2);
  const first = batches.findIndex((batch) => batch.includes('c'));
  const before = batches.slice(0, first + 1).flat();
  expect(before.slice(0, 3)).toEqual(['a', 'b', 'c']);
  expect(batches.slice(first + 1).flat()).toEqual(['c', 'd', 'e']);
});

it('gives a batch up when the function keeps failing, and goes on', async () => {
  const complaints = jest.spyOn(console, 'error').mockReturnValue(undefined);
  const seen: string[] = [];
  handle = async ({ Records }) => {
    seen.push(...namesOf(Records));
    if (seen.at(-1) === 'bad') throw new Error('It fails.');
  };
  await start({ newItems: { partitionKeyPrefix: 'BAD#' } });
  await put('BAD#1', 'bad');
  await until(() => complaints.mock.calls.some(([text]) => String(text).includes('gave up 1 records')));
  await put('BAD#1', 'good');
  await until(() => seen.at(-1) === 'good');
  expect(seen).toEqual(['bad', 'bad', 'bad', 'bad', 'bad', 'good']);
  complaints.mockRestore();
}, 30_000);

it('starts a function by time, from the start on', async () => {
  const seen: object[] = [];
  handle = async (event) => {
    seen.push(event);
  };
  await start({ everyMinutes: 1 });
  await until(() => seen.length === 1);
  expect(seen).toEqual([expect.objectContaining({ source: 'aws.events', time: expect.stringMatching(/Z$/) })]);
});

it('stops without waiting long for a function that does not end', async () => {
  handle = () => new Promise(() => undefined);
  await start({ everyMinutes: 1 });
  const startedAt = Date.now();
  await triggers.stop();
  expect(Date.now() - startedAt).toBeLessThan(4_000);
});
