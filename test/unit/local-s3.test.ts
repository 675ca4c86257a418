import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { s3Client, testBucket } from '#test/support/files-client.ts';

const client = s3Client();
const Bucket = testBucket();
const ignore = () => undefined;
/** Otherwise the SDK warns of failed streams. */
const silentLogger = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };
const newKey = (name = 'file') => `test/${randomUUID()}/${name}`;
const partBytesMin = 5 * 1_048_576;

async function put(Key: string, Body: Uint8Array | string = 'content', more: object = {}): Promise<string> {
  await client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
  return Key;
}

async function get(Key: string, more: object = {}) {
  const { Body, ...rest } = await client.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return { ...rest, bytes: await buffer(Body as Readable) };
}

/** The error of a call in the SDK's form. */
const failure = (call: Promise<unknown>) =>
  call.then(
    () => 'nothing',
    (error) => `${error.$metadata?.httpStatusCode} ${error.name}`,
  );

describe('an object', () => {
  it.each([0, 1, 65_537, 6 * 1_048_576])('an object of %d bytes comes back byte for byte', async (size) => {
    const bytes = randomBytes(size);
    const key = await put(newKey(), bytes);
    const read = await get(key);
    expect(read.bytes.equals(bytes)).toBe(true);
    expect(read).toMatchObject({
      ContentLength: size,
      ETag: `"${createHash('md5').update(bytes).digest('hex')}"`,
      AcceptRanges: 'bytes',
    });
    expect(read.LastModified).toBeInstanceOf(Date);
  });

  it('is not taken from a stream whose checksum follows it', async () => {
    const Body = Readable.from([randomBytes(100_000)]);
    const input = { Bucket, Key: newKey(), Body, ContentLength: 100_000 };
    const silentClient = s3Client({ logger: silentLogger });
    expect(await failure(silentClient.send(new PutObjectCommand(input)))).toBe('501 NotImplemented');
  });

  it('keeps its content type', async () => {
    const ContentType = 'text/plain; charset=utf-8';
    const key = await put(newKey(), 'x', { ContentType });
    expect(await get(key)).toMatchObject({ ContentType });
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: key }));
    expect(head).toMatchObject({ ContentType, ContentLength: 1 });
  });

  it.each([
    'a b',
    'a+b',
    'a%25b',
    'a&b=c?d#e',
    `"'()*!`,
    'ملف.pdf',
    '😀',
    'dir/',
    'dir/child',
    '../../etc/passwd',
    '..',
    '.',
    '//',
    'a//b',
    'a/./b',
    '%2e%2e%2f',
    '\\',
    'x'.repeat(900),
    '<key>&amp;',
  ])('is found under the key %j and no other', async (name) => {
    const key = await put(newKey(name), name);
    expect((await get(key)).bytes.toString()).toBe(name);
    const Prefix = key.slice(0, 'test/'.length + 37);
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }));
    expect(Contents?.map(({ Key }) => Key)).toEqual([key]);
  });

  it('is replaced completely, and missing after its deletion', async () => {
    const key = await put(newKey(), 'first');
    await put(key, 'second');
    expect((await get(key)).bytes.toString()).toBe('second');
    await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
    expect(await failure(get(key))).toBe('404 NoSuchKey');
    expect(await failure(client.send(new HeadObjectCommand({ Bucket, Key: key })))).toBe('404 NotFound');
    await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
  });

  it('an object with If-None-Match is written by exactly one of many requests', async () => {
    const key = newKey();
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) => failure(put(key, `${index}`, { IfNoneMatch: '*' }))),
    );
    expect(results.filter((result) => result === 'nothing')).toHaveLength(1);
    expect(results.filter((result) => result === '412 PreconditionFailed')).toHaveLength(9);
    expect((await get(key)).bytes.toString()).toBe(String(results.indexOf('nothing')));
  });

  it.each([
    ['bytes=0-0', 'a', 'bytes 0-0/10'],
    ['bytes=2-5', 'cdef', 'bytes 2-5/10'],
    ['bytes=5-', 'fghij', 'bytes 5-9/10'],
    ['bytes=5-99', 'fghij', 'bytes 5-9/10'],
    ['bytes=-3', 'hij', 'bytes 7-9/10'],
    ['bytes=-99', 'abcdefghij', 'bytes 0-9/10'],
    ['bytes=0-1,4-5', 'abcdefghij', undefined],
    ['bytes=5-2', 'abcdefghij', undefined],
    ['bytes=-', 'abcdefghij', undefined],
    ['lines=1-2', 'abcdefghij', undefined],
  ])('answers the range %s', async (Range, text, ContentRange) => {
    const read = await get(await put(newKey(), 'abcdefghij'), { Range });
    expect([read.bytes.toString(), read.ContentRange, read.ContentLength]).toEqual([text, ContentRange, text.length]);
    expect(read.$metadata.httpStatusCode).toBe(ContentRange ? 206 : 200);
  });

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('has no range %s', async (Range) => {
    expect(await failure(get(await put(newKey(), 'abcdefghij'), { Range }))).toBe('416 InvalidRange');
  });
});

describe('an upload in parts', () => {
  const start = async (Key: string) => {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'a/b' }));
    return { Bucket, Key, UploadId };
  };
  const send = async (upload: object, PartNumber: number, Body: Uint8Array) => {
    const input = { ...upload, PartNumber, Body } as ConstructorParameters<typeof UploadPartCommand>[0];
    const { ETag } = await client.send(new UploadPartCommand(input));
    return { PartNumber, ETag };
  };
  const complete = (upload: { Key: string; UploadId: string | undefined }, Parts: object[]) =>
    client.send(new CompleteMultipartUploadCommand({ Bucket, ...upload, MultipartUpload: { Parts } }));
  const openUploads = async (Prefix: string) =>
    (await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }))).Uploads ?? [];

  it('becomes one object', async () => {
    const key = newKey();
    const bytes = randomBytes(partBytesMin * 2 + 1_000);
    const upload = await start(key);
    const pieces = [0, 1, 2].map((index) => bytes.subarray(index * partBytesMin, (index + 1) * partBytesMin));
    const Parts = await Promise.all(pieces.map((piece, index) => send(upload, index + 1, piece)));
    expect(await failure(get(key))).toBe('404 NoSuchKey');
    expect(await openUploads(key)).toMatchObject([{ Key: key, UploadId: upload.UploadId }]);
    const { ETag } = await complete(upload, Parts);
    expect(ETag).toMatch(/^"[0-9a-f]{32}-3"$/);
    const read = await get(key);
    expect(read.bytes.equals(bytes)).toBe(true);
    expect(read).toMatchObject({ ETag, ContentType: 'a/b', ContentLength: bytes.length });
    const Range = `bytes=${partBytesMin - 2}-${partBytesMin + 2}`;
    expect((await get(key, { Range })).bytes).toEqual(bytes.subarray(partBytesMin - 2, partBytesMin + 3));
    expect(await openUploads(key)).toEqual([]);
  });

  it('leaves nothing when it is aborted', async () => {
    const upload = await start(newKey());
    await send(upload, 1, Buffer.from('x'));
    await client.send(new AbortMultipartUploadCommand(upload));
    expect(await openUploads(upload.Key)).toEqual([]);
    expect(await failure(get(upload.Key))).toBe('404 NoSuchKey');
    expect(await failure(send(upload, 2, Buffer.from('x')))).toBe('404 NoSuchUpload');
  });

  it('is refused if its parts are missing, changed, too small or out of order', async () => {
    const upload = await start(newKey());
    const first = await send(upload, 1, Buffer.from('small'));
    const second = await send(upload, 2, Buffer.from('last'));
    expect(await failure(complete(upload, [first, { ...second, ETag: '"other"' }]))).toBe('400 InvalidPart');
    expect(await failure(complete(upload, [{ ...first, PartNumber: 3 }]))).toBe('400 InvalidPart');
    expect(await failure(complete(upload, [second, first]))).toBe('400 InvalidPartOrder');
    expect(await failure(complete(upload, [first, second]))).toBe('400 EntityTooSmall');
    expect(await failure(send(upload, 10_001, Buffer.from('x')))).toBe('400 InvalidArgument');
    expect(await failure(send({ ...upload, UploadId: randomUUID() }, 1, Buffer.from('x')))).toBe('404 NoSuchUpload');
    expect(await failure(send({ ...upload, Key: newKey() }, 1, Buffer.from('x')))).toBe('404 NoSuchUpload');
    await client.send(new AbortMultipartUploadCommand(upload));
  });
});

describe('the bucket', () => {
  it('lists the keys of a prefix in the order of their bytes', async () => {
    const folder = `${newKey('')}list/`;
    const names = ['a', 'a/b', 'b', 'c/', 'é', '😀'];
    for (const name of names.toReversed()) await put(folder + name);
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: folder }));
    expect(Contents.map(({ Key }) => Key?.slice(folder.length))).toEqual(names);
  });

  it('is the only one', async () => {
    expect(await failure(client.send(new PutObjectCommand({ Bucket: 'other', Key: 'a', Body: 'x' })))).toBe(
      '404 NoSuchBucket',
    );
  });

  it('takes no key over 1,024 bytes', async () => {
    expect(await failure(put('x'.repeat(1_025)))).toBe('400 KeyTooLongError');
    await put('x'.repeat(1_024));
  });
});
