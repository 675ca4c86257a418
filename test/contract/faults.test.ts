import { beforeAll, describe, expect, it } from '@jest/globals';
import { findEndpoints } from '#lib/endpoints.ts';
import { call } from '#test/support/call.ts';
import { chef } from '#test/support/every-route.ts';
import type { Fault } from '#test/support/fault-proxy.ts';
import { eventsOf } from '#test/support/presets/chat.ts';
import {
  all,
  bucket,
  bucketFaults,
  expectUnchanged,
  files,
  forgetLook,
  hangs,
  itFailsEveryCall,
  itFailsEveryWrite,
  itFailsTheBucket,
  itForgivesUnrecordedUses,
  itStoresOneTime,
  key,
  lastSeen,
  managerKey,
  type NamedFaults,
  reads,
  refusalsOf,
  stream,
  table,
  tableFaults,
  throttled,
  unavailable,
} from './every-fault.ts';

// Faults of the table and of the bucket: one on every route, and every kind on some routes. faults.long.test.ts tries
// all of them on all routes. Each route's *.long.test.ts tries faults of single calls, faults in the middle of a
// response, delays, retries and concurrent requests.

/** A read, an update, a transaction and a stream. */
const some = Object.fromEntries(
  ['menu-products-list', 'cms-entry-update', 'form-submit', 'ai-reply-stream'].map((name) => {
    const send = all[name];
    if (!send) throw new Error(`There is no route ${name}.`);
    return [name, send];
  }),
);

it('has a request in test/support/every-route.ts for each function that uses the table', async () => {
  const tried = new Set(Object.keys(all).map((name) => name.split(' ')[0]));
  const users = (await findEndpoints()).filter(({ endpoint }) => endpoint.uses.some((use) => use.startsWith('table:')));
  const missing = users.map(({ name }) => name).filter((name) => !tried.has(name));
  // Bulk requests answer 200 with the failure of each change, and a sign-in redirects with it.
  expect(missing).toEqual(['manage-changes', 'session-callback']);
});

describe('a table that fails every call', () => {
  itFailsEveryCall(tableFaults.slice(0, 1));

  describe('in the other ways', () => itFailsEveryCall(tableFaults.slice(1), some));

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
  itFailsEveryWrite(tableFaults.slice(0, 1));

  describe('in the other ways', () => itFailsEveryWrite(tableFaults.slice(1), ['cms-entry-update', 'form-submit']));

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
      method: 'PUT',
      kind: 'customers',
      id,
      record: { name: `New ${id}` },
    }));
    const { status, json } = await call('POST /api/v1/manage/changes', { key: managerKey, body: { changes } });
    expect(status).toBe(200);
    expect(json.results).toMatchObject(Array(2).fill({ status: 503, error: { code: 'unavailable' } }));
    table.heal();
    await expectUnchanged();
  });

  itStoresOneTime(['cms-entry-update', 'form-submit']);
});

describe('a table that fails one call', () => {
  // The first reply arrives as the model generates it, later ones as they are stored.
  const asked = { ...reads, 'ai-reply-stream': stream };
  const right: Record<string, string> = {};
  beforeAll(async () => {
    await stream();
    for (const [name, send] of Object.entries(asked)) right[name] = (await send()).text;
  });

  const once: NamedFaults<Fault> = [
    ...tableFaults.filter(([, { kind }]) => kind === 'error'),
    ['resets the connection', { kind: 'reset before' }],
    ['loses the answer', { kind: 'reset after' }],
    ['is slow', { kind: 'delay', milliseconds: 100 }],
  ];
  // One client repeats the calls of all routes, so the other kinds are tried on a few.
  const onAll = ['throttles', 'loses the answer'];
  const fewReads = Object.fromEntries(Object.entries(reads).filter(([name]) => name in some || name === 'manage-list'));
  it.each(once)('is called again, so that the answer is correct, when it %s', async (how, fault) => {
    const sent = onAll.includes(how) ? asked : { ...fewReads, 'ai-reply-stream': stream };
    for (const [name, send] of Object.entries(sent)) {
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

describe('a bucket that fails', () => {
  // The model's reply is stored by now.
  beforeAll(forgetLook);

  itFailsTheBucket(bucketFaults.slice(0, 1));

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

itForgivesUnrecordedUses([hangs]);
