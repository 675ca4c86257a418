import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { objectSize } from '#lib/files/read-file.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import { Table } from '#lib/table/table.ts';
import { call } from '#test/support/call.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { leftovers, objectBytes } from '#test/support/stored-files.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const { keys, workspaceId } = await openWorkspace('files');
const address = 'POST /api/v1/connect/attachments/announce';
const announce = (body: unknown) => call(address, { key: keys.uploader, body });
const announceFile = async (file: object = {}) =>
  (await announce({ files: [{ name: 'menu.pdf', type: 'application/pdf', size: 5, ...file }] })).json.files[0];
const attachments = () => new Attachments(testTable(), { workspaceId });

interface DirectUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @returns the status */
const put = async ({ url, headers }: DirectUpload, bytes: string | Buffer = 'hello', others = {}) => {
  const sent = request(url, { method: 'PUT', headers: { ...headers, ...others } });
  const answered = new Promise<number>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => text(response).then(() => resolve(response.statusCode ?? 0), reject));
  });
  sent.end(bytes);
  return answered;
};

describe('an announced file', () => {
  it('has the members of an uploaded one, and the request to send it with', async () => {
    const before = Date.now();
    const { status, json } = await announce({ files: [{ name: 'Menü.PDF', type: 'Application/PDF; x=y', size: 5 }] });
    const [file] = json.files;
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        files: [
          {
            id: expect.stringMatching(/^att_/),
            name: 'Menü.PDF',
            type: 'application/pdf',
            s3Key: expect.stringMatching(/\/Menu\.PDF$/),
            url: `http://assets.example/api/v1/connect/assets/${file.s3Key}`,
            upload: {
              method: 'PUT',
              url: expect.stringContaining(file.s3Key),
              headers: { 'content-type': 'application/pdf', 'content-length': '5', 'if-none-match': '*' },
              expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            },
          },
        ],
      },
    });
    const minutes = (Date.parse(file.upload.expiresAt) - before) / 60_000;
    expect(minutes).toBeGreaterThanOrEqual(15);
    expect(minutes).toBeLessThan(15.2);
  });

  it('is not found before its bytes have arrived', async () => {
    const { id, s3Key } = await announceFile();
    expect(await attachments().find(id, objectSize)).toBeUndefined();
    expect(await attachments().findByKey(s3Key, objectSize)).toBeUndefined();
    expect((await leftovers(workspaceId)).announced).toContain(s3Key);
  });

  it('is stored on its first read', async () => {
    const { id, s3Key, upload } = await announceFile();
    expect(await put(upload)).toBe(200);
    expect([...(await attachments().readable([id]))]).toEqual([]);
    expect(await attachments().findByKey(s3Key, objectSize)).toMatchObject({ id, size: 5, type: 'application/pdf' });
    expect([...(await attachments().readable([id]))]).toEqual([id]);
    const { announced, records } = await leftovers(workspaceId);
    expect({ isAnnounced: announced.includes(s3Key), isStored: records.includes(s3Key) }).toEqual({
      isAnnounced: false,
      isStored: true,
    });
  });

  it('is stored one time by many parallel first reads', async () => {
    const { id, upload } = await announceFile();
    await put(upload);
    const found = await Promise.all(Array.from({ length: 10 }, () => attachments().find(id, objectSize)));
    expect(found.map((attachment) => attachment?.id)).toEqual(Array(10).fill(id));
  });

  it('is found by a reader even if another reader stores it in between', async () => {
    const { id, upload } = await announceFile();
    await put(upload);
    const proxy = await FaultProxy.start();
    try {
      const client = tableClient('request', { endpoint: proxy.url });
      const slow = new Table({ client, name: testTable().name, signal: AbortSignal.timeout(20_000) });
      // First the reader finds no record. A second call reads the announcement.
      proxy.plan('BatchGetItem', { kind: 'unprocessed', parts: 'half' }, 1);
      proxy.plan('BatchGetItem', { kind: 'delay', milliseconds: 1_000 }, 1);
      const reading = new Attachments(slow, { workspaceId }).find(id, objectSize);
      while (proxy.calls.length < 2) await pause(5);
      expect(await attachments().find(id, objectSize)).toMatchObject({ id });
      expect(await reading).toMatchObject({ id });
    } finally {
      await proxy.stop();
    }
  });

  it('may be empty', async () => {
    const { id, upload } = await announceFile({ size: 0 });
    expect(await put(upload, '')).toBe(200);
    expect(await attachments().find(id, objectSize)).toMatchObject({ size: 0 });
  });

  it('is visible in its own workspace only', async () => {
    const { id, s3Key, upload } = await announceFile();
    await put(upload);
    const strangers = new Attachments(testTable(), { workspaceId: (await openWorkspace('files')).workspaceId });
    expect(await strangers.find(id, objectSize)).toBeUndefined();
    expect(await strangers.findByKey(s3Key, objectSize)).toBeUndefined();
  });
});

describe('a direct upload', () => {
  it('is refused with other bytes, with another type, and if the file exists', async () => {
    const { s3Key, upload } = await announceFile();
    expect(await put(upload, 'longer', { 'content-length': '6' })).toBe(403);
    expect(await put(upload, 'hello', { 'content-type': 'text/html' })).toBe(403);
    const { 'if-none-match': _, ...careless } = upload.headers;
    expect(await put({ ...upload, headers: careless })).toBe(403);
    expect(await put(upload)).toBe(200);
    expect(await put(upload, 'other')).toBe(412);
    expect(String(await objectBytes(s3Key))).toBe('hello');
  });

  // acceptance/attachments.long.test.ts sends the largest file.
  it('a direct upload of more than an event may hold is returned byte for byte', async () => {
    const bytes = Buffer.alloc(4_700_000, 'direct');
    const { s3Key, upload } = await announceFile({ size: bytes.length });
    expect(await put(upload, bytes)).toBe(200);
    expect((await objectBytes(s3Key)).equals(bytes)).toBe(true);
  });
});

describe('an announcement', () => {
  const file = { name: 'a.txt', type: 'text/plain', size: 1 };

  it.each([
    ['no JSON', '{', 400, 'invalid_body', ['']],
    ['nothing', '', 400, 'invalid_body', ['']],
    ['a list', [], 400, 'invalid_body', ['']],
    ['no files member', {}, 400, 'invalid_body', ['files']],
    ['another member', { files: [file], x: 1 }, 400, 'invalid_body', ['x']],
    ['files that are not a list', { files: 'x' }, 400, 'invalid_body', ['files']],
    ['no file', { files: [] }, 400, 'no_files', ['files']],
    ['six files', { files: Array(6).fill(file) }, 400, 'too_many_files', ['files']],
    ['no name', { files: [{ type: 'a/b', size: 1 }] }, 400, 'validation_failed', ['files.0.name']],
    ['no type', { files: [file, { name: 'a', size: 1 }] }, 400, 'validation_failed', ['files.1.type']],
    ['no size', { files: [{ name: 'a', type: 'a/b' }] }, 400, 'validation_failed', ['files.0.size']],
    ['a size below 0', { files: [{ ...file, size: -1 }] }, 400, 'validation_failed', ['files.0.size']],
    ['half a byte', { files: [{ ...file, size: 0.5 }] }, 400, 'validation_failed', ['files.0.size']],
    ['a size in text', { files: [{ ...file, size: '5' }] }, 400, 'validation_failed', ['files.0.size']],
    ['an unknown member', { files: [{ ...file, id: 'x' }] }, 400, 'validation_failed', ['files.0.id']],
    ['no object', { files: [null] }, 400, 'validation_failed', ['files.0']],
    ['a byte over 25 MB', { files: [{ ...file, size: 26_214_401 }] }, 413, 'file_too_large', undefined],
    [
      'a byte over 25 MB and other errors',
      { files: [{ size: 26_214_401 }, {}], x: 1 },
      413,
      'file_too_large',
      undefined,
    ],
    ['more than 1 MB', { files: [{ ...file, name: 'x'.repeat(1_048_576) }] }, 413, 'body_too_large', undefined],
  ])('an announcement with %s is refused', async (_, body, status, code, paths) => {
    const before = await leftovers(workspaceId);
    const answer = await announce(body);
    expect({ status: answer.status, code: answer.json.code, paths: pathsOf(answer.json.errors) }).toEqual({
      status,
      code,
      paths,
    });
    expect(await leftovers(workspaceId)).toEqual(before);
  });

  it('without files is refused in words of an announcement', async () => {
    expect((await announce({ files: [] })).json.message).toBe('Announce 1 to 5 files.');
  });

  it('accepts five files of 25 MB', async () => {
    const { status, json } = await announce({ files: Array(5).fill({ ...file, size: 26_214_400 }) });
    expect({ status, files: json.files.length }).toEqual({ status: 200, files: 5 });
  });

  it.each([
    ['multipart/form-data; boundary=x', {}],
    ['text/plain', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('an announcement of the type %s is answered 415', async (type, others) => {
    const headers = { 'content-type': type, ...others };
    const answer = await call(address, { key: keys.uploader, headers, body: Buffer.from('{}') });
    expect(answer).toMatchObject({ status: 415, json: { code: 'unsupported_media_type' } });
  });

  it('needs the permission of an upload', async () => {
    const body = { files: [] };
    expect((await call(address, { key: keys.reader, body })).json.code).toBe('permission_denied');
    expect((await call(`${address}?apiKey=${keys.uploader}`, { body })).status).toBe(401);
  });

  it('accepts parameters of the media type, and +json types', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/vnd.api+json']) {
      const headers = { 'content-type': type };
      const body = { files: [file] };
      expect((await call(address, { key: keys.uploader, headers, body })).status).toBe(200);
    }
  });
});

describe('the address of uploads', () => {
  const upload = 'POST /api/v1/connect/attachments';
  const file = { name: 'a.txt', type: 'text/plain', size: 1 };

  it('takes an announcement, too, as the same request', async () => {
    const sent = { key: keys.uploader, headers: { 'idempotency-key': 'either' }, body: { files: [file, file] } };
    const first = await call(address, sent);
    expect(first.json.files[1].upload.method).toBe('PUT');
    expect(await call(upload, sent)).toMatchObject({ status: 200, text: first.text });
    const unsized = {
      key: keys.uploader,
      headers: { 'idempotency-key': '' },
      body: { files: [{ ...file, size: -1 }] },
    };
    const refused = await call(upload, unsized);
    expect(pathsOf(refused.json.errors)).toEqual(['Idempotency-Key', 'files.0.size']);
    expect((await call(address, unsized)).text).toBe(refused.text);
  });
});

const pathsOf = (errors: readonly { path: string }[] | undefined) => errors?.map(({ path }) => path);
