import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, call } from '#test/support/call.ts';
import { eventsOf } from '#test/support/chat-room.ts';
import { contactAnswers, demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { exported } from '#test/support/document-text.ts';
import { type Fault, FaultProxy } from '#test/support/fault-proxy.ts';
import { formBody } from '#test/support/multipart.ts';
import { type S3Fault, S3FaultProxy } from '#test/support/s3-fault-proxy.ts';
import { type Document, testTable } from '#test/support/world.ts';

// Every kind of fault of the table and of the bucket, once for each route. Each route's own *.long.test.ts has the
// whole table: every call of it, faults in the middle, times, and what repeats and concurrent requests see.

await openDemo();
await testTable().get({ pk: 'loaded before', sk: 'the proxy' });
const table = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
const bucket = await S3FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.url;
process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;

afterEach(() => {
  table.heal();
  bucket.heal();
});
afterAll(() => Promise.all([table.stop(), bucket.stop()]));

const key = demoKeys.all;
const chef = '/api/public/cms/chefs/chef_noura';
const note = formBody([{ filename: 'note.txt', type: 'text/plain', bytes: 'A note.' }]);
const question = { agentId: 'agent_saffron', conversationId: 'conv_huda', lastMessageId: 'msg_10' };
let s3Key = '';
let count = 0;
const newKey = () => ({ 'idempotency-key': `fault-${++count}` });
/** A value that the entry does not have yet, so that the update is written. */
const newBio = () => ({ values: { bio: { en: `Biography ${++count}` } } });

const reads: Readonly<Record<string, () => Promise<Answer>>> = {
  'cms-entries-list': () => call('GET /api/public/cms/chefs/list', { key }),
  'cms-entry-get': () => call(`GET ${chef}`, { key }),
  'menu-products-list': () => call(`GET /api/public/menu/products?apiKey=${key}`),
  'menu-categories-list': () => call(`GET /api/public/menu/categories?includeProducts=true&apiKey=${key}`),
  'form-get': () => call(`GET /api/public/forms/contact?apiKey=${key}`),
  'asset-download': () => call(`GET /api/v1/connect/assets/${s3Key}`, { key }),
};

/** A write, the operation that carries it out, and the list of the export that it adds to, if it adds to one. */
interface Write {
  readonly operation: string;
  readonly added?: (document: Document) => readonly unknown[];
  send(): Promise<Answer>;
}

const uploadPath = 'POST /api/v1/connect/attachments';
const attachments = ({ attachments: list }: Document) => list;
const writes: Readonly<Record<string, Write>> = {
  'cms-entry-update': { operation: 'TransactWriteItems', send: () => call(`PATCH ${chef}`, { key, body: newBio() }) },
  'cms-entry-update with an idempotency key': {
    operation: 'TransactWriteItems',
    send: () => call(`PATCH ${chef}`, { key, body: newBio(), headers: newKey() }),
  },
  'form-submit': {
    operation: 'TransactWriteItems',
    added: ({ formResponses }) => formResponses,
    send: () => call(`POST /api/public/forms/contact?apiKey=${key}`, { body: contactAnswers }),
  },
  'form-submit with an idempotency key': {
    operation: 'TransactWriteItems',
    added: ({ formResponses }) => formResponses,
    send: () => call(`POST /api/public/forms/contact?apiKey=${key}`, { body: contactAnswers, headers: newKey() }),
  },
  'attachments-upload': {
    operation: 'TransactWriteItems',
    added: attachments,
    send: () => call(uploadPath, { key, ...note }),
  },
  'attachments-upload with an idempotency key': {
    operation: 'TransactWriteItems',
    added: attachments,
    send: () => call(uploadPath, { key, ...note, headers: { ...note.headers, ...newKey() } }),
  },
};

const stream = () => call('POST /api/v1/connect/ai-stream', { key, body: question });
const all = {
  ...reads,
  ...Object.fromEntries(Object.entries(writes).map(([name, { send }]) => [name, send])),
  'ai-reply-stream': stream,
};

beforeAll(async () => {
  s3Key = (await call(uploadPath, { key, ...note })).json.files[0].s3Key;
  // The first update of an entry changes what lists show of it.
  await call(`PATCH ${chef}`, { key, body: newBio() });
});

async function workspace(): Promise<Document> {
  const { exportedAt, ...document } = await exported('ws_saffron');
  return document;
}

/** What each of the requests, all sent at once, is answered when it must not succeed. */
async function refusalsOf(requests: Readonly<Record<string, () => Promise<Answer>>>) {
  const answers = Object.entries(requests).map(async ([name, send]) => {
    const { status, json, headers } = await send();
    return [name, [status, json?.code, headers['retry-after']]] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

const unavailable = (names: object) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, [503, 'unavailable', expect.stringMatching(/^[1-9]$/)]]));

const throttled: Fault = { kind: 'error', type: 'ThrottlingException', status: 400 };
const tableFaults: readonly [string, Fault][] = [
  ['throttles', throttled],
  ['has no capacity', { kind: 'error', type: 'ProvisionedThroughputExceededException', status: 400 }],
  ['answers 500', { kind: 'error', type: 'InternalServerError', status: 500 }],
  ['hangs', { kind: 'hang' }],
  ['resets the connection', { kind: 'reset before' }],
  ['sends half of its reply and breaks off', { kind: 'cut reply', end: 'broken' }],
  ['sends half of its reply and ends', { kind: 'cut reply', end: 'clean' }],
  ['sends half of its reply and stalls', { kind: 'cut reply', end: 'stalled' }],
];

describe('a table that fails every call', () => {
  it.each(tableFaults)('makes every route answer 503 and store nothing when it %s', async (_, fault) => {
    const before = await workspace();
    table.plan('any', fault);
    expect(await refusalsOf(all)).toEqual(unavailable(all));
    table.heal();
    expect(await workspace()).toEqual(before);
  });

  it('makes every route answer 503 when it leaves every key of a read unprocessed', async () => {
    table.plan('BatchGetItem', { kind: 'unprocessed', parts: 'all' });
    expect(await refusalsOf(all)).toEqual(unavailable(all));
  });

  it('is not mistaken for a key that is wrong', async () => {
    table.plan('any', throttled);
    const answers = await Promise.all(
      [key, 'no-such-key-0000000000'].map((secret) => call(`GET ${chef}`, { key: secret })),
    );
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  });
});

describe('a table that fails only the write', () => {
  const sends = Object.fromEntries(Object.entries(writes).map(([name, { send }]) => [name, send]));
  const operations = new Set(Object.values(writes).map(({ operation }) => operation));

  it.each(tableFaults.filter(([, { kind }]) => kind !== 'cut reply'))(
    'makes every write answer 503 and store nothing when it %s',
    async (_, fault) => {
      const before = await workspace();
      for (const operation of operations) table.plan(operation, fault);
      expect(await refusalsOf(sends)).toEqual(unavailable(sends));
      table.heal();
      expect(await workspace()).toEqual(before);
    },
  );

  it.each(['UpdateItem', 'TransactWriteItems'])('ends a reply of the model with an error at %s', async (operation) => {
    const before = await workspace();
    table.plan(operation, throttled);
    const { status, text } = await stream();
    expect(status).toBe(200);
    expect(eventsOf(text).at(-1)).toEqual({ type: 'error', error: expect.stringMatching(/^The .+\.$/) });
    table.heal();
    expect(await workspace()).toEqual(before);
  });

  it.each(Object.entries(writes))(
    'and loses the reply of one is asked again: %s is answered and stored once',
    async (_, { operation, added, send }) => {
      const before = await workspace();
      table.plan(operation, { kind: 'reset after' }, 1);
      expect((await send()).status).toBe(200);
      expect(table.calls.filter((one) => one.operation === operation)).toHaveLength(2);
      table.heal();
      const after = await workspace();
      if (added) expect(added(after)).toHaveLength(added(before).length + 1);
      else expect(after.cms).not.toEqual(before.cms);
    },
  );
});

describe('a table that fails one call', () => {
  // The first reply arrives as the model makes it, later ones as they are stored.
  beforeAll(() => stream());

  const once: readonly [string, Fault][] = [
    ...tableFaults.slice(0, 3),
    ['resets the connection', { kind: 'reset before' }],
    ['loses the reply', { kind: 'reset after' }],
    ['is slow', { kind: 'delay', milliseconds: 300 }],
  ];
  it.each(once)('is asked again, so that the answer is right, when it %s', async (_, fault) => {
    for (const [name, send] of Object.entries({ ...reads, 'ai-reply-stream': stream })) {
      const before = await send();
      table.plan('any', fault, 1);
      const { status, text } = await send();
      expect({ name, status, text }).toEqual({ name, status: 200, text: before.text });
    }
  });

  it('is asked for the rest when it leaves half of the keys of every read unprocessed', async () => {
    for (const [name, send] of Object.entries(reads)) {
      const before = await send();
      table.plan('BatchGetItem', { kind: 'unprocessed', parts: 'half' });
      expect({ name, text: (await send()).text }).toEqual({ name, text: before.text });
      table.heal();
    }
  });
});

const bucketFaults: readonly [string, S3Fault][] = [
  ['answers 503', { kind: 'error', code: 'SlowDown', status: 503 }],
  ['answers 500', { kind: 'error', code: 'InternalError', status: 500 }],
  ['answers 403', { kind: 'error', code: 'AccessDenied', status: 403 }],
  ['hangs', { kind: 'hang' }],
  ['resets the connection', { kind: 'reset before' }],
  ['loses the reply', { kind: 'reset after' }],
];

describe('a bucket that fails', () => {
  const download = () => call(`GET /api/v1/connect/assets/${s3Key}`, { key });
  const upload = () => call(uploadPath, { key, ...note });

  it.each(bucketFaults)('every call makes uploads and downloads answer 503 when it %s', async (_, fault) => {
    const before = await workspace();
    bucket.plan('any', fault);
    expect(await refusalsOf({ upload, download })).toEqual(unavailable({ upload, download }));
    bucket.heal();
    expect(await workspace()).toEqual(before);
  });

  it.each(bucketFaults.filter(([how]) => ['answers 503', 'resets the connection'].includes(how)))(
    'one call is asked again when it %s',
    async (_, fault) => {
      for (const operation of ['PutObject', 'GetObject']) bucket.plan(operation, fault, { times: 1 });
      expect((await upload()).status).toBe(200);
      expect((await download()).text).toBe('A note.');
    },
  );

  it('in the middle of a download breaks the answer', async () => {
    bucket.plan('GetObject', { kind: 'cut reply', bytes: 3, end: 'broken' });
    await expect(download()).rejects.toThrow();
  });
});
