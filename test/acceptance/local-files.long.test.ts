import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LocalService } from '#test/support/processes.ts';

const key = { authorization: 'Bearer saffron-desk-key-0000000000' };
const bytes = Buffer.alloc(6_000_000, 'menu\r\n');

type Engines = Record<'s3' | 'dynamodb', Record<string, string>>;

let folder: string;
let service: LocalService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-files-'));
  service = await LocalService.start('--data', join(folder, 'data'));
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

async function upload(): Promise<string> {
  const body = new FormData();
  body.append('files', new Blob([bytes], { type: 'application/zip' }), '../../قائمة.zip');
  const response = await fetch(`${service.url}/api/v1/connect/attachments`, { method: 'POST', headers: key, body });
  const { files } = (await response.json()) as { files: { s3Key: string }[] };
  return files[0]?.s3Key ?? '';
}

const download = (s3Key: string, init: RequestInit = {}) =>
  fetch(`${service.url}/api/v1/connect/assets/${s3Key}`, { ...init, headers: { ...key, ...init.headers } });

describe('files of a local run with --data', () => {
  it('are stored across a restart, and no name becomes a path', async () => {
    const s3Key = await upload();
    await service.stop();
    service = await LocalService.start('--data', join(folder, 'data'));
    const answer = await download(s3Key);
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''%D9%82%D8%A7%D8%A6%D9%85%D8%A9.zip");
    expect(bytes.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
    expect(await readdir(join(folder, 'data', 's3'))).toEqual(['objects.db']);
    expect(await readdir(folder)).toEqual(['data']);
  });

  it('come with their length for HEAD, and in parts', async () => {
    const s3Key = await upload();
    const head = await download(s3Key, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    const part = await download(s3Key, { headers: { range: 'bytes=-6' } });
    expect([part.status, await part.text()]).toEqual([206, 'menu\r\n']);
    expect(part.headers.get('content-range')).toBe(`bytes 5999994-5999999/6000000`);
  });

  it('cost one read of the table and one call of the bucket', async () => {
    const s3Key = await upload();
    await (await download(s3Key)).arrayBuffer();
    await fetch(`${service.url}/_local/stats`, { method: 'DELETE' });
    await (await download(s3Key)).arrayBuffer();
    const stats = await (await fetch(`${service.url}/_local/stats`)).json();
    expect(stats).toMatchObject({ dynamodb: { calls: { BatchGetItem: 1 } }, s3: { calls: { GetObject: 1 } } });
  });

  it('can be found by other processes of this machine', async () => {
    const engines = (await (await fetch(`${service.url}/_local/engines`)).json()) as Engines;
    const { s3, dynamodb } = engines;
    expect(s3).toEqual({
      endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      region: dynamodb['region'],
      accessKeyId: dynamodb['accessKeyId'],
      secretAccessKey: dynamodb['secretAccessKey'],
      bucket: 'workspace-files',
    });
    expect((await fetch(`${s3['endpoint']}/${s3['bucket']}?list-type=2`)).status).toBe(403);
  });
});
