import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, it } from '@jest/globals';
import { imageKey } from '#lib/domain/files/public-image.ts';
import { objectSize } from '#lib/files/read-file.ts';
import { call } from '#test/support/call.ts';
import { s3Client, testBucket } from '#test/support/files-client.ts';
import * as make from '#test/support/image-files.ts';
import { announce, fetchImage, mediaAddress, sendDirectly } from '#test/support/media.ts';
import { sweepFiles } from '#test/support/stored-files.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { png, svg, validImages } = make;
const kitchen = await openWorkspace('media');
const other = await openWorkspace('media');
const { editor, reader } = kitchen.keys;
const confirm = (id: string, key = editor) => call(`POST ${mediaAddress}/${id}`, { key });
const sweepAt = (hours: number) => sweepFiles(new Date(Date.now() + hours * 3_600_000).toISOString());

it('an announced image is public only after it has arrived and is confirmed', async () => {
  const bytes = validImages['image/avif'] ?? png();
  const announced = await announce(editor, { name: 'a.avif', type: 'image/avif', size: bytes.length });
  expect([announced.status, Object.keys(announced.json)]).toEqual([201, ['id', 'url', 'upload']]);
  const { id, url, upload } = announced.json;
  expect(upload).toMatchObject({ method: 'PUT', expiresAt: expect.stringMatching(/Z$/) });
  expect((await fetchImage(url)).status).toBe(404);
  expect((await confirm(id)).json.code).toBe('conflict');
  const put = () => fetch(upload.url, { method: 'PUT', headers: upload.headers, body: Buffer.from(bytes) });
  expect((await put()).status).toBe(200);
  expect((await fetchImage(url)).status).toBe(404);
  const confirmed = await confirm(id);
  expect([confirmed.status, confirmed.json]).toEqual([200, { id, url, alt: null, width: 3, height: 2 }]);
  expect((await fetchImage(url)).bytes.equals(bytes)).toBe(true);
  // The checked bytes stay the public ones.
  expect((await put()).status).toBe(412);
  expect((await confirm(id)).json).toEqual(confirmed.json);
});

it('an announced image is published without the metadata of a camera, however often it is confirmed', async () => {
  const published = make.jpeg(3, 2, [make.turned(8)]);
  const sent = make.jpeg(3, 2, [make.turned(8), make.jpegSegment(0xed, [...Buffer.from('Photoshop 3.0\0Riyadh')])]);
  const { id, url } = await sendDirectly(editor, sent);
  const answers = await Promise.all([confirm(id), confirm(id), confirm(id)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await fetchImage(url)).bytes.equals(published)).toBe(true);
});

it('an image is confirmed after a confirmation that removed its metadata and then failed', async () => {
  const published = make.jpeg();
  const { id, url } = await sendDirectly(editor, make.jpeg(3, 2, [make.jpegSegment(0xfe, [1, 2, 3])]));
  const Key = imageKey(kitchen.workspaceId, id);
  await s3Client().send(new PutObjectCommand({ Bucket: testBucket(), Key, Body: published }));
  expect((await confirm(id)).status).toBe(200);
  expect((await fetchImage(url)).bytes.equals(published)).toBe(true);
});

it('an announced image with more than 25 million pixels never becomes public', async () => {
  const { id, url } = await sendDirectly(editor, png(5_001, 5_000));
  const { status, json } = await confirm(id);
  expect([status, json.code, json.errors]).toEqual([
    400,
    'validation_failed',
    [
      {
        path: 'files.0',
        code: 'too_large',
        message: 'Must have at most 25,000,000 pixels, all frames of an animation together.',
      },
    ],
  ]);
  expect((await fetchImage(url)).status).toBe(404);
});

it('an announced file that is not an image never becomes public', async () => {
  const { id, url } = await sendDirectly(editor, svg);
  const { status, json } = await confirm(id);
  expect([status, json.code, json.errors[0]]).toMatchObject([
    400,
    'validation_failed',
    { path: 'files.0', code: 'format' },
  ]);
  expect((await fetchImage(url)).status).toBe(404);
});

it('an image is confirmed in its own workspace, with a permission', async () => {
  const { id, url } = await sendDirectly(editor, png());
  expect((await confirm(id, other.keys.editor)).status).toBe(404);
  expect((await confirm(id, reader)).status).toBe(403);
  expect((await confirm('img_1')).status).toBe(404);
  expect((await confirm(`${id}0`)).status).toBe(404);
  expect((await fetchImage(url)).status).toBe(404);
  expect((await confirm(id, kitchen.keys.manager)).status).toBe(200);
});

it('an unconfirmed image is removed with its object after a day', async () => {
  const kept = await sendDirectly(editor, png());
  await confirm(kept.id);
  const left = await sendDirectly(editor, png());
  await sweepAt(23.9);
  const stored = (id: string) => objectSize(imageKey(kitchen.workspaceId, id));
  expect(await stored(left.id)).toBeGreaterThan(0);
  await sweepAt(24.1);
  expect(await stored(left.id)).toBeUndefined();
  expect((await confirm(left.id)).status).toBe(404);
  expect([(await fetchImage(kept.url)).status, (await fetchImage(left.url)).status]).toEqual([200, 404]);
});
