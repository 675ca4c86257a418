import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call, callStream } from '#test/support/call.ts';
import { store } from '#test/support/drive.ts';
import { type S3Fault, S3FaultProxy } from '#test/support/s3-fault-proxy.ts';
import { timed } from '#test/support/spent-time.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

const megabyte = 1_048_576;
let proxy: S3FaultProxy;
let drive: Workspace<'drive'>;
let key: string;
const bytes = randomBytes(2 * megabyte);

beforeAll(async () => {
  drive = await openWorkspace('drive');
  key = await store(drive, { name: 'a.zip', type: 'application/zip', bytes });
  proxy = await S3FaultProxy.start();
  process.env['AWS_ENDPOINT_URL_S3'] = proxy.url;
});

beforeEach(() => proxy.heal());
afterAll(() => proxy.stop());

const options = (headers: Record<string, string> = {}) => ({ key: drive.keys.readByRead, headers });
const ask = (headers?: Record<string, string>) => call(`GET /api/v1/connect/assets/${key}`, options(headers));
const open = () => callStream(`GET /api/v1/connect/assets/${key}`, options());

async function expectUnavailable(headers: Record<string, string>): Promise<void> {
  const { result: answer, waited } = await timed(() => ask(headers));
  expect([answer.status, answer.json]).toMatchObject([503, { code: 'unavailable' }]);
  expect(answer.headers).toMatchObject({ 'retry-after': '1' });
  expect(waited).toBeLessThan(6_000);
}

describe('a bucket that fails before the first byte', () => {
  it.each<S3Fault>([
    { kind: 'error', status: 503, code: 'SlowDown' },
    { kind: 'error', status: 500, code: 'InternalError' },
    { kind: 'error', status: 403, code: 'AccessDenied' },
    { kind: 'hang' },
    { kind: 'reset before' },
    { kind: 'reset after' },
  ])('a failure with %j before the first byte is answered 503 in time', async (fault) => {
    proxy.plan('any', fault);
    const requests: Record<string, string>[] = [{}, { range: 'bytes=0-9' }, { 'if-none-match': '"x"' }];
    await Promise.all(requests.map(expectUnavailable));
  });

  it.each<S3Fault>([{ kind: 'error', status: 503, code: 'SlowDown' }, { kind: 'reset before' }, { kind: 'hang' }])(
    'one time, with %j, is called again',
    async (fault) => {
      proxy.plan('GetObject', fault, { times: 1 });
      const answer = await ask();
      expect(answer.bytes.equals(bytes)).toBe(true);
    },
  );
});

describe('a bucket that fails during a download', () => {
  it.each([0, 1, 65_536, megabyte, 2 * megabyte - 1])(
    'a bucket that fails after %d bytes breaks off the answer',
    async (count) => {
      proxy.plan('GetObject', { kind: 'cut reply', bytes: count, end: 'broken' });
      await expect(ask()).rejects.toThrow();
    },
  );

  it('a stall during a download breaks off the answer five seconds later', async () => {
    proxy.plan('GetObject', { kind: 'cut reply', bytes: megabyte, end: 'stalled' });
    const startedAt = performance.now();
    const { waited } = await timed(() => expect(ask()).rejects.toThrow());
    expect(performance.now() - startedAt).toBeGreaterThan(4_500);
    expect(waited).toBeLessThan(7_000);
  });

  it('a short stall during a download does not break off the answer', async () => {
    proxy.plan('GetObject', { kind: 'cut reply', bytes: megabyte, end: { pause: 2_000 } });
    expect((await ask()).bytes.equals(bytes)).toBe(true);
  });
});

describe('a client', () => {
  it("may read more slowly than the bucket's time limit", async () => {
    const { body } = await open();
    await delay(7_000);
    expect((await buffer(body)).equals(bytes)).toBe(true);
  });

  it('is not delayed by many others that have stopped reading', async () => {
    const stopped = await Promise.all(Array.from({ length: 60 }, open));
    expect((await ask()).bytes.equals(bytes)).toBe(true);
    for (const { body } of stopped) body.destroy();
    await Promise.all(stopped.map(({ ended }) => ended));
  });

  it('that disconnects does not stop the function early', async () => {
    const { body, ended } = await open();
    body.destroy();
    await ended;
  });
});
