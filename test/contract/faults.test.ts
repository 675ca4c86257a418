import { beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { eventsOf } from '#test/support/chat-room.ts';
import { chef } from '#test/support/every-route.ts';
import type { Fault } from '#test/support/fault-proxy.ts';
import type { S3Fault } from '#test/support/s3-fault-proxy.ts';
import { timed } from '#test/support/spent-time.ts';
import {
  all,
  bucket,
  expectUnchanged,
  faultsOf,
  files,
  forgetLook,
  itFailsEveryCall,
  itFailsEveryWrite,
  key,
  lastSeen,
  managerKey,
  reads,
  refusalsOf,
  stream,
  table,
  tableFaults,
  throttled,
  unavailable,
  writes,
} from './every-fault.ts';

// Every kind of fault of the table and of the bucket. Each route has the most different ones; some routes have all.
// faults.long.test.ts tries all of them on all routes. Each route's *.long.test.ts tries faults of single calls,
// faults in the middle of a response, delays, retries and concurrent requests.

/** A read, an update, a transaction and a stream. */
const some = Object.fromEntries(
  ['menu-products-list', 'cms-entry-update', 'form-submit', 'ai-reply-stream'].map((name) => {
    const send = all[name];
    if (!send) throw new Error(`There is no route ${name}.`);
    return [name, send];
  }),
);

describe('a table that fails every call', () => {
  itFailsEveryCall(faultsOf('fast'));

  describe('in the other ways', () => itFailsEveryCall(faultsOf('long'), some));

  it('makes every route answer 503 when it leaves all keys of a read unprocessed', async () => {
    table.plan('BatchGetItem', { kind: 'unprocessed', parts: 'all' });
    // A public image is read without a key, so its route is left out.
    const { 'media-download': publicImage, ...withKey } = all;
    expect(await refusalsOf(withKey)).toEqual(unavailable(withKey));
  });

  it('is not reported as an invalid key', async () => {
    table.plan('any', throttled);
    const answers = await Promise.all(
      [key, 'no-such-key-0000000000'].map((secret) => call(`GET ${chef}`, { key: secret })),
    );
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  });
});

describe('a table that fails only writes', () => {
  itFailsEveryWrite(faultsOf('fast'));

  describe('in the other ways', () => itFailsEveryWrite(faultsOf('long'), ['cms-entry-update', 'form-submit']));

  it.each(['UpdateItem', 'TransactWriteItems'])('ends a reply of the model with an error at %s', async (operation) => {
    await lastSeen();
    table.plan(operation, throttled);
    const { status, text } = await stream();
    expect(status).toBe(200);
    expect(eventsOf(text).at(-1)).toEqual({ type: 'error', error: expect.stringMatching(/^The .+\.$/) });
    table.heal();
    await expectUnchanged();
  });

  it('fails each change in a batch', async () => {
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
    'and has lost the answer is called again, so that %s is answered and stored one time',
    async (_, { operation, list, adds = 1, send }) => {
      const before = await lastSeen();
      table.plan(operation, { kind: 'reset after' }, 1);
      expect([200, 201, 204]).toContain((await send()).status);
      expect(table.calls.filter((call) => call.operation === operation)).toHaveLength(2);
      table.heal();
      forgetLook();
      const after = await lastSeen();
      if (list) expect(list(after)).toHaveLength(list(before).length + adds);
      else expect(after).not.toEqual(before);
    },
  );
});

describe('a table that fails one call', () => {
  // The first reply arrives as the model generates it, later ones as they are stored.
  const asked = { ...reads, 'ai-reply-stream': stream };
  const right: Record<string, string> = {};
  beforeAll(async () => {
    await stream();
    for (const [name, send] of Object.entries(asked)) right[name] = (await send()).text;
  });

  const once: readonly [string, Fault][] = [
    ...tableFaults.filter(([, { kind }]) => kind === 'error'),
    ['resets the connection', { kind: 'reset before' }],
    ['loses the answer', { kind: 'reset after' }],
    ['is slow', { kind: 'delay', milliseconds: 100 }],
  ];
  it.each(once)('is called again, so that the answer is correct, when it %s', async (_, fault) => {
    for (const [name, send] of Object.entries(asked)) {
      table.plan('any', fault, 1);
      const { status, text } = await send();
      expect({ name, status, text }).toEqual({ name, status: 200, text: right[name] });
    }
  });

  it('is called for the rest when it leaves half of the keys of every read unprocessed', async () => {
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
  ['loses the answer', { kind: 'reset after' }],
];

describe('a bucket that fails', () => {
  // The model's reply is stored by now.
  beforeAll(forgetLook);

  it.each(bucketFaults)('makes every route that needs it answer 503 when every call %s', async (_, fault) => {
    await lastSeen();
    bucket.plan('any', fault);
    expect(await refusalsOf(files)).toEqual(unavailable(files));
    bucket.heal();
    await expectUnchanged();
  });

  it.each(bucketFaults.filter(([how]) => ['answers 503', 'resets the connection'].includes(how)))(
    'is called again when one call %s',
    async (_, fault) => {
      for (const [name, send] of Object.entries(files)) {
        bucket.plan('any', fault, { times: 1 });
        expect([name, [200, 201].includes((await send()).status)]).toEqual([name, true]);
      }
      expect((await files['asset-download']?.())?.text).toBe('A note.');
    },
  );

  it('breaks off the answer when it fails in the middle of a download', async () => {
    bucket.plan('GetObject', { kind: 'cut reply', bytes: 3, end: 'broken' });
    await expect(files['asset-download']?.()).rejects.toThrow();
  });
});

describe('a failure to record the last use of a key', () => {
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
