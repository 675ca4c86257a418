import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { imageKey } from '#lib/domain/files/public-image.ts';
import { objectSize } from '#lib/files/read-file.ts';
import { type Answer, call } from '#test/support/call.ts';
import { type Fault, FaultProxy } from '#test/support/fault-proxy.ts';
import { jpeg, jpegSegment, png } from '#test/support/image-files.ts';
import { fetchImage, imagePart, mediaAddress, sendDirectly, upload } from '#test/support/media.ts';
import { type S3Fault, S3FaultProxy } from '#test/support/s3-fault-proxy.ts';
import { sweepFiles } from '#test/support/stored-files.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('media');
const table = await FaultProxy.start();
const bucket = await S3FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.url;
process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
afterEach(() => {
  table.heal();
  bucket.heal();
});
afterAll(() => Promise.all([table.stop(), bucket.stop()]));

const key = kitchen.keys.editor;
const image = (await upload(key, [imagePart()])).json;
const sent = await sendDirectly(key, png());
const requests: Readonly<Record<string, () => Promise<Answer>>> = {
  'media-upload': () => upload(key, [imagePart()]),
  'media-confirm': () => call(`POST ${mediaAddress}/${sent.id}`, { key }),
  'media-delete': () => call(`DELETE ${mediaAddress}/${image.id}`, { key }),
  'media-download': () => fetchImage(image.url),
};

async function refusals(names: readonly string[]) {
  const answers = names.map(async (name) => {
    const { status, json, headers } = (await requests[name]?.()) ?? {};
    return [
      name,
      status,
      json?.code,
      Number(headers?.['retry-after']) > 0,
      headers?.['cache-control']?.includes('public'),
    ];
  });
  return Promise.all(answers);
}
const unavailable = (names: readonly string[]) => names.map((name) => [name, 503, 'unavailable', true, false]);

const throttled: Fault = { kind: 'error', type: 'ThrottlingException', status: 400 };

describe('a table that fails', () => {
  it.each<[string, Fault]>([
    ['throttles', throttled],
    ['hangs', { kind: 'hang' }],
    ['resets the connection', { kind: 'reset before' }],
  ])('makes every call answer 503 and changes nothing when it %s', async (_, fault) => {
    table.plan('any', fault);
    expect(await refusals(Object.keys(requests))).toEqual(unavailable(Object.keys(requests)));
    table.heal();
    expect([(await fetchImage(image.url)).status, (await fetchImage(sent.url)).status]).toEqual([200, 404]);
  });

  it('makes an image public even if the answer to its transaction is lost', async () => {
    table.plan('TransactWriteItems', { kind: 'reset after' }, 1);
    const { status, json } = await upload(key, [imagePart()]);
    expect([status, (await fetchImage(json.url)).status]).toEqual([201, 200]);
  });
});

describe('a bucket that fails', () => {
  const names = ['media-upload', 'media-confirm', 'media-download'];

  it.each<[string, S3Fault]>([
    ['answers 503', { kind: 'error', code: 'SlowDown', status: 503 }],
    ['answers 403', { kind: 'error', code: 'AccessDenied', status: 403 }],
    ['hangs', { kind: 'hang' }],
  ])('makes calls answer 503 without caching when it %s', async (_, fault) => {
    bucket.plan('any', fault);
    expect(await refusals(names)).toEqual(unavailable(names));
    bucket.heal();
    expect((await fetchImage(sent.url)).status).toBe(404);
  });
});

describe('an image whose metadata was removed', () => {
  const published = jpeg();
  const send = () => sendDirectly(key, jpeg(3, 2, [jpegSegment(0xfe, [1, 2, 3])]));
  const confirm = (id: string) => call(`POST ${mediaAddress}/${id}`, { key });

  it('is published by the next confirmation if the table failed', async () => {
    const { id, url } = await send();
    table.plan('TransactWriteItems', throttled);
    expect((await confirm(id)).status).toBe(503);
    table.heal();
    expect((await confirm(id)).status).toBe(200);
    expect((await fetchImage(url)).bytes.equals(published)).toBe(true);
  });

  it('leaves no object if it was given up in the meantime', async () => {
    const { id, url } = await send();
    const tomorrow = new Date(Date.now() + 25 * 3_600_000).toISOString();
    const meanwhile = () => sweepFiles(tomorrow);
    bucket.plan('PutObject', { kind: 'late', meanwhile });
    expect((await confirm(id)).status).toBe(404);
    expect((await fetchImage(url)).status).toBe(404);
    expect(await objectSize(imageKey(kitchen.workspaceId, id))).toBeUndefined();
  });
});
