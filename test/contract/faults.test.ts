import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { type Answer, call } from '#test/support/call.ts';
import { eventsOf } from '#test/support/chat-room.ts';
import { demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { exportedFromScan } from '#test/support/document-text.ts';
import { chef, everyRoute } from '#test/support/every-route.ts';
import { type Fault, FaultProxy } from '#test/support/fault-proxy.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { type S3Fault, S3FaultProxy } from '#test/support/s3-fault-proxy.ts';
import { shortenPauses } from '#test/support/short-pauses.ts';
import { timed } from '#test/support/spent-time.ts';
import { type Document, testTable } from '#test/support/world.ts';

// Every kind of fault of the table and of the bucket, once for each route. Each route's own *.long.test.ts has the
// whole table: every call of it, faults in the middle, times, and what repeats and concurrent requests see.

const key = demoKeys.all;
const managerKey = 'saffron-manager-key-0000000';
await openDemo(({ apiKeys }) =>
  apiKeys.push({ id: 'key_manager', name: 'Manager', secret: managerKey, permissions: Permission.options }),
);
await testTable().get({ pk: 'loaded before', sk: 'the proxy' });
const table = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
const bucket = await S3FaultProxy.start();
const mail = await MailSink.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.url;
process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
Object.assign(process.env, { PUBLIC_URL: 'https://saffron.example', OIDC_CLIENT_ID: 'client' });
process.env['OIDC_LOGOUT_URL'] = 'https://issuer.example/logout';

beforeAll(shortenPauses);
afterEach(() => {
  table.heal();
  bucket.heal();
});
afterAll(() => Promise.all([table.stop(), bucket.stop(), mail.stop()]));

const { reads, writes, files, prepare } = everyRoute(key, managerKey);
const question = { agentId: 'agent_saffron', conversationId: 'conv_huda', lastMessageId: 'msg_10' };
const stream = () => call('POST /api/v1/connect/ai-stream', { key, body: question });
const all: Readonly<Record<string, () => Promise<Answer>>> = {
  ...reads,
  ...Object.fromEntries(Object.entries(writes).map(([name, { send }]) => [name, send])),
  'ai-reply-stream': stream,
};

beforeAll(prepare);

async function workspace(): Promise<Document> {
  const { exportedAt, ...document } = await exportedFromScan('ws_saffron');
  return document;
}

/** What the last look has found: an export takes as long as a dozen requests. */
let seen: Document | undefined;

async function lastSeen(): Promise<Document> {
  seen ??= await workspace();
  return seen;
}

async function expectUnchanged(): Promise<void> {
  expect(await workspace()).toEqual(seen);
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
    await lastSeen();
    table.plan('any', fault);
    expect(await refusalsOf(all)).toEqual(unavailable(all));
    table.heal();
    await expectUnchanged();
  });

  it('makes every route answer 503 when it leaves all keys of a read unprocessed', async () => {
    table.plan('BatchGetItem', { kind: 'unprocessed', parts: 'all' });
    // A public image is read without a key, which is the one read of many keys.
    const { 'media-download': publicImage, ...withKey } = all;
    expect(await refusalsOf(withKey)).toEqual(unavailable(withKey));
  });

  it('is not mistaken for a key that is wrong', async () => {
    table.plan('any', throttled);
    const answers = await Promise.all(
      [key, 'no-such-key-0000000000'].map((secret) => call(`GET ${chef}`, { key: secret })),
    );
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  });
});

describe('a table that fails only writes', () => {
  const sends = Object.fromEntries(Object.entries(writes).map(([name, { send }]) => [name, send]));
  const operations = new Set(Object.values(writes).map(({ operation }) => operation));

  it.each(tableFaults.filter(([, { kind }]) => kind !== 'cut reply'))(
    'makes every write answer 503 and store nothing when it %s',
    async (_, fault) => {
      await lastSeen();
      for (const operation of operations) table.plan(operation, fault);
      expect(await refusalsOf(sends)).toEqual(unavailable(sends));
      table.heal();
      await expectUnchanged();
    },
  );

  it.each(['UpdateItem', 'TransactWriteItems'])('ends a reply of the model with an error at %s', async (operation) => {
    await lastSeen();
    table.plan(operation, throttled);
    const { status, text } = await stream();
    expect(status).toBe(200);
    expect(eventsOf(text).at(-1)).toEqual({ type: 'error', error: expect.stringMatching(/^The .+\.$/) });
    table.heal();
    await expectUnchanged();
  });

  it('is told by each of many changes', async () => {
    await lastSeen();
    table.plan('TransactWriteItems', throttled);
    const changes = ['cus_new', 'cus_huda'].map((id) => ({
      ...{ method: 'PUT', kind: 'customers', id, record: { name: `New ${id}` } },
    }));
    const { status, json } = await call('POST /api/v1/manage/changes', { key: managerKey, body: { changes } });
    expect(status).toBe(200);
    expect(json.results).toMatchObject(Array(2).fill({ status: 503, error: { code: 'unavailable' } }));
    table.heal();
    await expectUnchanged();
  });

  it.each(Object.entries(writes))(
    'and has lost the reply is asked again, so that %s is answered and stored once',
    async (_, { operation, list, adds = 1, send }) => {
      const before = await lastSeen();
      table.plan(operation, { kind: 'reset after' }, 1);
      expect([200, 201, 204]).toContain((await send()).status);
      expect(table.calls.filter((one) => one.operation === operation)).toHaveLength(2);
      table.heal();
      const after = await workspace();
      seen = after;
      if (list) expect(list(after)).toHaveLength(list(before).length + adds);
      else expect(after).not.toEqual(before);
    },
  );
});

describe('a table that fails one call', () => {
  // The first reply arrives as the model makes it, later ones as they are stored.
  const asked = { ...reads, 'ai-reply-stream': stream };
  const right: Record<string, string> = {};
  beforeAll(async () => {
    await stream();
    for (const [name, send] of Object.entries(asked)) right[name] = (await send()).text;
  });

  const once: readonly [string, Fault][] = [
    ...tableFaults.slice(0, 3),
    ['resets the connection', { kind: 'reset before' }],
    ['loses the reply', { kind: 'reset after' }],
    ['is slow', { kind: 'delay', milliseconds: 100 }],
  ];
  it.each(once)('is asked again, so that the answer is right, when it %s', async (_, fault) => {
    for (const [name, send] of Object.entries(asked)) {
      table.plan('any', fault, 1);
      const { status, text } = await send();
      expect({ name, status, text }).toEqual({ name, status: 200, text: right[name] });
    }
  });

  it('is asked for the rest when it leaves half of the keys of every read unprocessed', async () => {
    for (const [name, send] of Object.entries(reads)) {
      table.plan('BatchGetItem', { kind: 'unprocessed', parts: 'half' });
      expect({ name, text: (await send()).text }).toEqual({ name, text: right[name] });
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
  // The reply of the model has been stored since.
  beforeAll(() => {
    seen = undefined;
  });

  it.each(bucketFaults)('makes every route that needs it answer 503 when every call %s', async (_, fault) => {
    await lastSeen();
    bucket.plan('any', fault);
    expect(await refusalsOf(files)).toEqual(unavailable(files));
    bucket.heal();
    await expectUnchanged();
  });

  it.each(bucketFaults.filter(([how]) => ['answers 503', 'resets the connection'].includes(how)))(
    'is asked again when one call %s',
    async (_, fault) => {
      for (const [name, send] of Object.entries(files)) {
        bucket.plan('any', fault, { times: 1 });
        expect([name, [200, 201].includes((await send()).status)]).toEqual([name, true]);
      }
      expect((await files['asset-download']?.())?.text).toBe('A note.');
    },
  );

  it('breaks the answer when it fails in the middle of a download', async () => {
    bucket.plan('GetObject', { kind: 'cut reply', bytes: 3, end: 'broken' });
    await expect(files['asset-download']?.()).rejects.toThrow();
  });
});

describe('a note of the use of a key that the table does not take', () => {
  it.each(tableFaults)('neither fails nor delays a request when the table %s', async (_, fault) => {
    const { json } = await call('POST /api/v1/manage/api-keys', {
      key: managerKey,
      body: { name: 'New', permissions: ['cms:entry:read'] },
    });
    table.noteFault = fault;
    const { result, waited } = await timed(() => call(`GET ${chef}`, { key: json.secret }));
    expect(result.status).toBe(200);
    expect(waited).toBeLessThan(1_500);
  });
});
