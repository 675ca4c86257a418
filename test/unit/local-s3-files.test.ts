import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type S3Engine, startS3 } from '#lib/local/s3/s3-server.ts';
import { s3Client } from '#test/support/files-client.ts';

const credentials = { accessKeyId: 'own', secretAccessKey: 'secret', region: 'us-east-1' };
const Bucket = 'files';
const keys = ['../../outside', '/etc/passwd', 'a/b', 'a', 'a/', '.', 'قائمة', 'x'.repeat(1_024), 'con', 'a\\b'];

let folder: string;
let directory: string;
let engine: S3Engine;
let client: S3Client;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 's3-files-'));
  directory = join(folder, 'data', 's3');
  await start();
});

afterEach(async () => {
  await engine.stop();
  await rm(folder, { recursive: true });
});

async function start(expires?: { prefix: string; after: number }): Promise<void> {
  engine = await startS3({ ...credentials, bucket: Bucket, directory, ...(expires && { expires }) });
  client = s3Client({ endpoint: engine.endpoint, credentials });
}

async function restart(): Promise<void> {
  await engine.stop();
  await start();
}

const put = (Key: string, Body: Uint8Array | string) => client.send(new PutObjectCommand({ Bucket, Key, Body }));
const textOf = async (Key: string) =>
  (await client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();
const listed = async () =>
  ((await client.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(({ Key }) => Key);
const files = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)));
const bytesOnDisk = async () => (await stat(join(directory, 'objects.db'))).size;

describe('an S3 that keeps its objects on disk', () => {
  it('writes nothing outside its folder for any key', async () => {
    for (const key of keys) await put(key, key);
    for (const key of keys) expect(await textOf(key)).toBe(key);
    expect(await files()).toEqual(['objects.db']);
  });

  it('has them again after a restart, with their content types', async () => {
    for (const key of keys) await put(key, key);
    const ContentType = 'text/plain; charset=utf-8';
    await client.send(new PutObjectCommand({ Bucket, Key: 'typed', Body: 'x', ContentType }));
    const before = await listed();
    await restart();
    expect(await listed()).toEqual(before);
    for (const key of keys) expect(await textOf(key)).toBe(key);
    const typed = await client.send(new GetObjectCommand({ Bucket, Key: 'typed' }));
    expect(typed).toMatchObject({ ContentType, ContentLength: 1 });
  });

  it('keeps no bytes of replaced, deleted or aborted uploads', async () => {
    const large = randomBytes(300_000);
    await put('a', large);
    await put('a', 'second');
    await put('b', large);
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'b' }));
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'c' }));
    await client.send(new UploadPartCommand({ Bucket, Key: 'c', UploadId, PartNumber: 1, Body: large }));
    expect(await bytesOnDisk()).toBeLessThan(large.length);
    await restart();
    expect((await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads).toBeUndefined();
    expect(await listed()).toEqual(['a']);
    expect(await textOf('a')).toBe('second');
  });

  it('puts parts together, and keeps them', async () => {
    const Key = 'large';
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const pieces = [randomBytes(5 * 1_048_576), randomBytes(1_000)];
    const Parts = [];
    for (const [index, Body] of pieces.entries()) {
      const PartNumber = index + 1;
      const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
      Parts.push({ PartNumber, ETag });
    }
    await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
    await restart();
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    expect(Buffer.concat(pieces).equals((await Body?.transformToByteArray()) ?? Buffer.alloc(0))).toBe(true);
  });

  it('keeps nothing of a body that breaks off', async () => {
    const url = new URL(await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: 'half' })));
    const socket = connect(Number(url.port), url.hostname);
    const closed = once(socket.resume(), 'close');
    socket.write(
      `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 1000000\r\n\r\n${'a'.repeat(50_000)}`,
    );
    socket.end();
    await closed;
    await put('whole', 'x');
    expect(await listed()).toEqual(['whole']);
  });
});

describe('an S3', () => {
  it('counts its calls, but not those of a signed address', async () => {
    await put('a', 'x');
    await textOf('a');
    await textOf('none').catch(() => undefined);
    await fetch(await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: 'a' })));
    await fetch(`${engine.endpoint}/${Bucket}/a`);
    expect(engine.calls()).toEqual({ PutObject: 1, GetObject: 2 });
    engine.resetCalls();
    expect(engine.calls()).toEqual({});
  });

  it('refuses a request whose connection still carries the answer to the one before it', async () => {
    const { port, hostname } = new URL(engine.endpoint);
    const socket = connect(Number(port), hostname);
    const request = `GET /${Bucket}/a HTTP/1.1\r\nHost: ${hostname}\r\n`;
    socket.write(`${request}\r\n${request}Connection: close\r\n\r\n`);
    expect((await text(socket)).match(/HTTP\/1\.1 403/g)).toHaveLength(2);
  });

  it('without a directory keeps its objects until its end', async () => {
    const place = { ...credentials, bucket: Bucket };
    for (let round = 0; round < 2; round++) {
      const own = await startS3(place);
      const ownClient = s3Client({ endpoint: own.endpoint, credentials });
      expect((await ownClient.send(new ListObjectsV2Command({ Bucket }))).Contents).toBeUndefined();
      await ownClient.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'x' }));
      expect((await ownClient.send(new ListObjectsV2Command({ Bucket }))).Contents).toHaveLength(1);
      await own.stop();
    }
  });
});

it('objects below the prefix of a lifecycle end at their time, and no others', async () => {
  for (const key of ['history/a', 'history/b', 'historyc', 'other/d']) await put(key, 'content');
  await engine.stop();
  await start({ prefix: 'history/', after: 60_000 });
  expect(await listed()).toEqual(['history/a', 'history/b', 'historyc', 'other/d']);
  await engine.stop();
  await start({ prefix: 'history/', after: -1 });
  expect(await listed()).toEqual(['historyc', 'other/d']);
});
