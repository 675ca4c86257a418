import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { sweepAttachments } from '#lib/attachments/sweep.ts';
import { objectSize } from '#lib/files/object-size.ts';
import { removeFile } from '#lib/files/remove-file.ts';
import { attachmentKitchen } from '#test/support/attachment-kitchen.ts';
import { type Fault, FaultProxy } from '#test/support/fault-proxy.ts';
import { formBody, type Part } from '#test/support/multipart.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { type S3Fault, S3FaultProxy } from '#test/support/s3-fault-proxy.ts';
import { leftovers, nothing } from '#test/support/stored-files.ts';
import { UploadServer } from '#test/support/upload-server.ts';
import { testTable } from '#test/support/world.ts';

// Its own table, because a sweep goes over all workspaces.
await openOwnTable();
const { keys, workspaceId } = await attachmentKitchen();
// What takes uploads is loaded from here on, and finds its engines behind the proxies; what looks does not.
const table = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
const bucket = await S3FaultProxy.start();
await leftovers(workspaceId);
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.url;
process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
const server = await UploadServer.start();

const small: Part = { filename: 'a.txt', bytes: 'hello' };
const large: Part = { filename: 'b.bin', bytes: Buffer.alloc(11_000_000, 'large') };
const five = [small, small, small, small, small];
const send = (parts: readonly Part[] = five) => server.send(keys.uploader, formBody(parts).body);

/** Everything is answered within five seconds of the last byte; the machine that runs tests gets one more. */
async function timed(parts?: readonly Part[]) {
  const start = performance.now();
  const { status, json } = await send(parts);
  const seconds = (performance.now() - start) / 1_000;
  return { status, code: json.code, isInTime: seconds < 6 };
}
const unavailable = { status: 503, code: 'unavailable', isInTime: true };

afterEach(async () => {
  await server.settled();
  table.heal();
  bucket.heal();
  await sweepAttachments(testTable(), { objectSize, removeFile }, '9999', () => true);
  const { announced, openUploads } = await leftovers(workspaceId);
  expect({ announced, openUploads }).toEqual({ announced: [], openUploads: [] });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([table.stop(), bucket.stop()]);
});

/** What is left for the sweeper: nothing that anybody can read. */
const announcedOnly = { objects: [], openUploads: [], records: [] };

describe.each<[string, S3Fault, object]>([
  ['answers 503', { kind: 'error', code: 'SlowDown', status: 503 }, nothing],
  ['answers 500', { kind: 'error', code: 'InternalError', status: 500 }, nothing],
  ['answers 403', { kind: 'error', code: 'AccessDenied', status: 403 }, nothing],
  ['resets', { kind: 'reset before' }, announcedOnly],
  ['resets when it has stored', { kind: 'reset after' }, announcedOnly],
  ['hangs', { kind: 'hang' }, announcedOnly],
])('a bucket that %s', (_, fault, left) => {
  it('at the third of five files keeps none of them', async () => {
    bucket.plan('PutObject', fault, { after: 2 });
    expect(await timed()).toEqual(unavailable);
    expect(await leftovers(workspaceId)).toMatchObject(left);
  });

  it.each(['CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload'])(
    'at %s of a large file keeps nothing',
    async (operation) => {
      bucket.plan(operation, fault, { after: operation === 'UploadPart' ? 1 : 0 });
      expect(await timed([small, large])).toEqual(unavailable);
      const { objects, records, openUploads } = await leftovers(workspaceId);
      // Of what was begun without a word, nobody knows but the sweeper.
      const isKnown = operation !== 'CreateMultipartUpload' || fault.kind !== 'reset after';
      expect({ objects, records, openUploads: isKnown && openUploads }).toEqual({
        objects: [],
        records: [],
        openUploads: isKnown && [],
      });
    },
  );
});

describe('a bucket that is lost in the middle of an upload', () => {
  it.each<S3Fault>([{ kind: 'hang' }, { kind: 'reset before' }])(
    'by %j leaves nothing that can be read',
    async (fault) => {
      bucket.plan('any', fault, { after: 2 });
      expect(await timed()).toEqual(unavailable);
      const { records, announced } = await leftovers(workspaceId);
      expect({ records, announced: announced.length }).toEqual({ records: [], announced: 3 });
    },
  );
});

describe('a bucket that fails once', () => {
  it.each<S3Fault>([
    { kind: 'error', code: 'SlowDown', status: 503 },
    { kind: 'reset before' },
    { kind: 'reset after' },
  ])('with %j is asked again', async (fault) => {
    for (const operation of ['PutObject', 'UploadPart']) bucket.plan(operation, fault, { times: 1 });
    const { status, json } = await send([small, large]);
    expect(status).toBe(200);
    const { objects, records, announced } = await leftovers(workspaceId);
    expect({ objects, announced }).toEqual({ objects: records, announced: [] });
    expect(records).toEqual(expect.arrayContaining(json.files.map(({ s3Key }: { s3Key: string }) => s3Key)));
  });
});

describe.each<[string, Fault]>([
  ['is throttled', { kind: 'error', type: 'ThrottlingException', status: 400 }],
  ['answers 500', { kind: 'error', type: 'InternalServerError', status: 500 }],
  ['resets', { kind: 'reset before' }],
  ['hangs', { kind: 'hang' }],
])('a table that %s', (_, fault) => {
  it('when files are announced keeps none of them', async () => {
    const before = await leftovers(workspaceId);
    table.plan('PutItem', fault);
    expect(await timed()).toEqual(unavailable);
    const { objects, records } = await leftovers(workspaceId);
    expect({ objects, records }).toEqual({ objects: before.objects, records: before.records });
  });

  it('when files are stored keeps none of them', async () => {
    const before = await leftovers(workspaceId);
    table.plan('TransactWriteItems', fault);
    expect(await timed([small])).toEqual(unavailable);
    const { objects, records } = await leftovers(workspaceId);
    expect({ objects, records }).toEqual({ objects: before.objects, records: before.records });
  });

  it('for good keeps nothing that can be read', async () => {
    const before = await leftovers(workspaceId);
    table.plan('TransactWriteItems', fault);
    table.plan('UpdateItem', fault);
    expect(await timed([small])).toEqual(unavailable);
    expect((await leftovers(workspaceId)).records).toEqual(before.records);
  });
});

describe('a table that does not tell that it has stored the files', () => {
  it('once is asked again', async () => {
    table.plan('TransactWriteItems', { kind: 'reset after' }, 1);
    expect((await send([small])).status).toBe(200);
  });

  it('is found out, so that the answer is 200', async () => {
    table.plan('TransactWriteItems', { kind: 'reset after' });
    const { status, json } = await send([small]);
    expect(status).toBe(200);
    expect((await leftovers(workspaceId)).records).toContain(json.files[0].s3Key);
  });
});

describe('an announcement', () => {
  it('is 503 when the table fails, and leaves nothing', async () => {
    table.plan('PutItem', { kind: 'error', type: 'ThrottlingException', status: 400 });
    const body = Buffer.from(JSON.stringify({ files: [{ name: 'a', type: '', size: 1 }] }));
    const { status } = await server.send(keys.uploader, body, { 'content-type': 'application/json' });
    expect(status).toBe(503);
    expect((await leftovers(workspaceId)).announced).toEqual([]);
  });

  it('needs no word from the bucket', async () => {
    bucket.plan('any', { kind: 'hang' });
    const body = Buffer.from(JSON.stringify({ files: [{ name: 'a', type: '', size: 1 }] }));
    expect((await server.send(keys.uploader, body, { 'content-type': 'application/json' })).status).toBe(200);
  });
});
