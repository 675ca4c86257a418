import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { bytesMilliseconds, partBytes } from '#lib/files/write-file.ts';
import { call } from '#test/support/call.ts';
import type { Fault } from '#test/support/fault-proxy.ts';
import { openFaultyUploads } from '#test/support/faulty-uploads.ts';
import { formBody, type Part } from '#test/support/multipart.ts';
import type { S3Fault } from '#test/support/s3-fault-proxy.ts';
import { timed } from '#test/support/spent-time.ts';
import { leftovers, noFiles } from '#test/support/stored-files.ts';
import type { Workspace } from '#test/support/workspace.ts';

const uploads = await openFaultyUploads(3);
const { kitchens, table, bucket, server } = uploads;
const { keys, workspaceId } = kitchens[0] as Workspace<'files'>;

const small: Part = { filename: 'a.txt', bytes: 'hello' };
const ofParts = (count: number): Part => ({
  filename: 'b.bin',
  bytes: Buffer.alloc((count - 1) * partBytes + 1_000, 'large'),
});
const five = [small, small, small, small, small];
const send = (parts: readonly Part[], kitchen = kitchens[0] as Workspace<'files'>) =>
  server.send(kitchen.keys.uploader, formBody(parts).body);

/** An answer comes within five seconds of the last byte; a test machine gets one more. */
async function sendInTime(parts: readonly Part[], kitchen: Workspace<'files'>) {
  const { result, waited } = await timed(() => send(parts, kitchen));
  return { status: result.status, code: result.json.code, isInTime: waited < 6_000 };
}
const unavailable = { status: 503, code: 'unavailable', isInTime: true };

/** Runs each case in parallel, each in its own kitchen. */
const atOnce = <Case, Seen>(cases: readonly Case[], look: (item: Case, kitchen: Workspace<'files'>) => Promise<Seen>) =>
  Promise.all(cases.map((item, index) => look(item, kitchens[index] as Workspace<'files'>)));

afterEach(async () => {
  for (const { announced, openUploads } of await uploads.settle()) {
    expect({ announced, openUploads }).toEqual({ announced: [], openUploads: [] });
  }
});
afterAll(() => uploads.stop());

/** The announcements left for the sweep. None of them is readable. */
const announcedOnly = { objects: [], openUploads: [], records: [] };

describe.each<[string, S3Fault, object]>([
  ['answers 503', { kind: 'error', code: 'SlowDown', status: 503 }, noFiles],
  ['answers 500', { kind: 'error', code: 'InternalError', status: 500 }, noFiles],
  ['answers 403', { kind: 'error', code: 'AccessDenied', status: 403 }, noFiles],
  ['resets', { kind: 'reset before' }, announcedOnly],
  ['resets the connection after it has stored', { kind: 'reset after' }, announcedOnly],
  ['hangs', { kind: 'hang' }, announcedOnly],
])('a bucket that %s', (_, fault, left) => {
  const leftOfLarge = { objects: [], records: [], openUploads: [] };
  // Only the sweep finds uploads that were started without an answer.
  const leftOfOpened = fault.kind === 'reset after' ? { objects: [], records: [] } : leftOfLarge;
  const moments = {
    PutObject: { after: 2, parts: five, left },
    CreateMultipartUpload: { after: 0, parts: [small, ofParts(2)], left: leftOfOpened },
    UploadPart: { after: 1, parts: [small, ofParts(3)], left: leftOfLarge },
    CompleteMultipartUpload: { after: 0, parts: [small, ofParts(2)], left: leftOfLarge },
  };

  // In total no more bytes than one large file, so that the cases do not delay each other.
  it.each([
    ['PutObject', 'UploadPart'],
    ['CreateMultipartUpload', 'CompleteMultipartUpload'],
  ] as const)('at %s, or at %s, keeps nothing', async (...operations) => {
    const seen = await atOnce(operations, async (operation, kitchen) => {
      const { after, parts } = moments[operation];
      bucket.plan(operation, fault, { after, about: kitchen.workspaceId });
      return { operation, ...(await sendInTime(parts, kitchen)), ...(await leftovers(kitchen.workspaceId)) };
    });
    expect(seen).toMatchObject(
      operations.map((operation) => ({ operation, ...unavailable, ...moments[operation].left })),
    );
  });
});

describe('a bucket that is lost in the middle of an upload', () => {
  it('a stall or a reset in the middle of an upload leaves nothing readable', async () => {
    const faults: readonly S3Fault[] = [{ kind: 'hang' }, { kind: 'reset before' }];
    const seen = await atOnce(faults, async (fault, kitchen) => {
      bucket.plan('any', fault, { after: 2, about: kitchen.workspaceId });
      const answer = await sendInTime(five, kitchen);
      const { records, announced } = await leftovers(kitchen.workspaceId);
      return { ...answer, records, announced: announced.length };
    });
    expect(seen).toEqual(faults.map(() => ({ ...unavailable, records: [], announced: 3 })));
  });
});

describe('a bucket that is slow for every byte', () => {
  it('stores the files of a gateway request within the time of one, or none of them', async () => {
    bucket.plan('PutObject', { kind: 'drip', milliseconds: 5_000 }, { about: workspaceId });
    const { result, waited } = await timed(() =>
      call('POST /api/v1/connect/attachments', { key: keys.uploader, ...formBody(five) }),
    );
    expect([result.status, result.json.code]).toEqual([503, 'unavailable']);
    expect(waited).toBeLessThan(bytesMilliseconds + 6_000);
    expect((await leftovers(workspaceId)).records).toEqual([]);
  });
});

describe('a bucket that fails one time', () => {
  it.each<S3Fault>([
    { kind: 'error', code: 'SlowDown', status: 503 },
    { kind: 'reset before' },
    { kind: 'reset after' },
  ])('is retried after %j', async (fault) => {
    for (const operation of ['PutObject', 'UploadPart']) bucket.plan(operation, fault, { times: 1 });
    const { status, json } = await send([small, ofParts(2)]);
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
  it('keeps nothing, whether it fails at the announcement, the storing or the removal', async () => {
    const moments = [
      { operations: ['PutItem'], parts: five, isCleared: true },
      { operations: ['TransactWriteItems'], parts: [small], isCleared: true },
      // Nothing is readable; the sweep removes the object.
      { operations: ['TransactWriteItems', 'UpdateItem'], parts: [small], isCleared: false },
    ];
    const seen = await atOnce(moments, async ({ operations, parts, isCleared }, kitchen) => {
      const before = await leftovers(kitchen.workspaceId);
      for (const operation of operations) table.plan(operation, fault, undefined, kitchen.workspaceId);
      const answer = await sendInTime(parts, kitchen);
      const { objects, records } = await leftovers(kitchen.workspaceId);
      expect({ records, objects: isCleared && objects }).toEqual({
        records: before.records,
        objects: isCleared && before.objects,
      });
      return { operations, ...answer };
    });
    expect(seen).toEqual(moments.map(({ operations }) => ({ operations, ...unavailable })));
  });
});

describe('a table whose answer to the storing is lost', () => {
  it('one time is called again', async () => {
    table.plan('TransactWriteItems', { kind: 'reset after' }, 1);
    expect((await send([small])).status).toBe(200);
  });

  it('every time is read, so that the upload still succeeds', async () => {
    table.plan('TransactWriteItems', { kind: 'reset after' });
    const { status, json } = await send([small]);
    expect(status).toBe(200);
    expect((await leftovers(workspaceId)).records).toContain(json.files[0].s3Key);
  });
});

describe('a direct announcement', () => {
  it('is answered 503 when the table fails, and leaves nothing', async () => {
    table.plan('PutItem', { kind: 'error', type: 'ThrottlingException', status: 400 });
    const body = Buffer.from(JSON.stringify({ files: [{ name: 'a', type: '', size: 1 }] }));
    const { status } = await server.send(keys.uploader, body, { 'content-type': 'application/json' });
    expect(status).toBe(503);
    expect((await leftovers(workspaceId)).announced).toEqual([]);
  });

  it('calls no bucket', async () => {
    bucket.plan('any', { kind: 'hang' });
    const body = Buffer.from(JSON.stringify({ files: [{ name: 'a', type: '', size: 1 }] }));
    expect((await server.send(keys.uploader, body, { 'content-type': 'application/json' })).status).toBe(200);
  });
});
