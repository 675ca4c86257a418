import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
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

async function start(): Promise<void> {
  engine = await startS3({ ...credentials, bucket: Bucket, directory });
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
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

describe('an S3 that keeps its objects on disk', () => {
  it('writes nothing outside its folder for any key', async () => {
    for (const key of keys) await put(key, key);
    for (const key of keys) expect(await textOf(key)).toBe(key);
    const places = (await files()).map(({ parentPath }) => relative(directory, parentPath));
    expect(new Set(places)).toEqual(new Set(['objects', 'blobs']));
    expect(places).toHaveLength(2 * keys.length);
    expect((await files()).map(({ name }) => name).join()).toMatch(/^[0-9a-f.json,-]+$/);
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
    await put('a', 'first');
    await put('a', 'second');
    await put('b', 'gone');
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'b' }));
    expect(await files()).toHaveLength(2);
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'c' }));
    await client.send(new UploadPartCommand({ Bucket, Key: 'c', UploadId, PartNumber: 1, Body: 'part' }));
    expect(await files()).toHaveLength(3);
    await restart();
    expect(await files()).toHaveLength(2);
    expect((await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads).toBeUndefined();
    expect(await textOf('a')).toBe('second');
  });

  it('puts parts together without copying them, and keeps them', async () => {
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
    socket.on('error', () => undefined);
    socket.write(
      `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 1000000\r\n\r\n${'a'.repeat(50_000)}`,
    );
    for (let tries = 0; (await files()).length === 0 && tries < 6_000; tries++) await delay(10);
    expect(await files()).toHaveLength(1);
    socket.destroy();
    for (let tries = 0; (await files()).length > 0 && tries < 6_000; tries++) await delay(10);
    expect(await files()).toEqual([]);
    expect(await listed()).toEqual([]);
  });

  it('removes the partial files of a killed process, and reports its own unreadable files', async () => {
    await put('a', 'kept');
    await writeFile(join(directory, 'blobs', 'stray'), 'x');
    await writeFile(join(directory, 'objects', 'unfinished.json.new'), '{');
    await restart();
    expect(await files()).toHaveLength(2);
    expect(await textOf('a')).toBe('kept');
    const [name = ''] = await readdir(join(directory, 'objects'));
    const content = await readFile(join(directory, 'objects', name));
    await writeFile(join(directory, 'objects', name), '{');
    await expect(startS3({ ...credentials, bucket: Bucket, directory })).rejects.toThrow(/cannot be read/);
    await writeFile(join(directory, 'objects', name), content);
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

  it('keeps its objects in a temporary folder without a directory, and takes it away at the end', async () => {
    const own = await startS3({ ...credentials, bucket: Bucket });
    const Body = randomUUID();
    await s3Client({ endpoint: own.endpoint, credentials }).send(new PutObjectCommand({ Bucket, Key: 'a', Body }));
    // Other services of the test run create such folders concurrently.
    const temporary = (await readdir(tmpdir())).filter((name) => name.startsWith('workspace-files-'));
    const holds = async (name: string) => {
      const blobs = join(tmpdir(), name, 'blobs');
      const names = await readdir(blobs).catch(() => []);
      return names.length === 1 && (await readFile(join(blobs, names[0] ?? ''), 'utf8').catch(() => '')) === Body;
    };
    const [made = '', ...others] = (
      await Promise.all(temporary.map(async (name) => ((await holds(name)) ? [name] : [])))
    ).flat();
    expect([made, others]).toEqual([expect.stringMatching(/./), []]);
    await own.stop();
    expect(await readdir(tmpdir())).not.toContain(made);
  });
});
