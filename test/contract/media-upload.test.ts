import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { listEvents } from '#lib/access/audit-log.ts';
import { call } from '#test/support/call.ts';
import * as make from '#test/support/image-files.ts';
import { announce, fetchImage, imagePart, mediaAddress, upload } from '#test/support/media.ts';
import { formBody } from '#test/support/multipart.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const { png, svg, validImages } = make;
const kitchen = await openWorkspace('media');
const { editor, reader } = kitchen.keys;
const base = process.env['ASSET_BASE_URL'] ?? '';

/** Sends bytes with a pause in the middle. */
async function* slowly(bytes: Buffer, milliseconds: number) {
  yield bytes.subarray(0, 10);
  await pause(milliseconds);
  yield bytes.subarray(10);
}

describe('an uploaded image', () => {
  it.each(Object.entries(validImages))(
    'an uploaded image of %s returns an image object and is public immediately',
    async (type, bytes) => {
      const { status, json } = await upload(editor, [imagePart(bytes)]);
      expect([status, json]).toEqual([
        201,
        {
          id: expect.stringMatching(/^img_[0-9a-z]{33}$/),
          url: `${base}/media/${json.id}`,
          alt: null,
          width: 3,
          height: 2,
        },
      ]);
      const answer = await fetchImage(json.url);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
      expect(answer.bytes.equals(bytes)).toBe(true);
    },
  );

  it('has at most 10 MB, whatever its name and declared type', async () => {
    const { status } = await upload(editor, [imagePart(png(), { filename: '../evil.html', type: 'text/html' })]);
    expect(status).toBe(201);
  });

  it('has no position and no text of a camera, and is turned as before', async () => {
    const text = make.jpegSegment(0xfe, [...Buffer.from('24.7136N 46.6753E')]);
    const { json } = await upload(editor, [imagePart(make.jpeg(3, 2, [text, make.turned(6)]))]);
    const answer = await fetchImage(json.url);
    expect(answer.bytes.equals(make.jpeg(3, 2, [make.turned(6)]))).toBe(true);
    expect(answer.headers['content-length']).toBe(`${answer.bytes.length}`);
  });

  it('is accepted in a field of an entry', async () => {
    const { json: image } = await upload(editor, [imagePart()]);
    const body = { values: { picture: image } };
    const { status, json } = await call('PATCH /api/public/cms/things/thing_1?maxDepth=0', { key: editor, body });
    expect([status, json.picture]).toEqual([200, image]);
  });

  it('requires the permission to update entries or to manage products, of the key and of its member', async () => {
    expect((await upload(kitchen.keys.manager, [imagePart()])).status).toBe(201);
    expect((await upload(reader, [imagePart()])).json).toEqual({
      message: 'This API key lacks the permission cms:entry:update or menu:product:manage.',
      code: 'permission_denied',
    });
    expect((await upload(kitchen.keys.overruled, [imagePart()])).status).toBe(403);
    expect((await call(`POST ${mediaAddress}`, { body: {} })).status).toBe(401);
    expect((await call(`POST ${mediaAddress}?apiKey=${editor}`, { body: {} })).status).toBe(401);
  });

  it('records an audit event without values', async () => {
    const { json } = await upload(editor, [imagePart()]);
    const { data: events } = await listEvents(testTable(), kitchen, {
      recordKind: 'media',
      recordId: json.id,
      limit: 5,
    });
    const actor = { type: 'key', id: 'key_editor', name: 'editor' };
    expect(events).toMatchObject([{ action: 'create', actor, changed: [], requestId: expect.any(String) }]);
  });
});

describe('an upload is refused for', () => {
  it.each<[string, Uint8Array | string]>([
    ['an SVG', svg],
    ['a string', 'Hello'],
    ['an empty file', ''],
    ['an image with trailing bytes', Buffer.concat([png(), svg])],
    ['a truncated image', png().subarray(0, -1)],
    ['an image of 60,000 pixels each way', png(60_000, 60_000)],
  ])('%s, with its path', async (_, bytes) => {
    const { status, json } = await upload(editor, [imagePart(bytes)]);
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 'validation_failed', errors: [{ path: 'files.0', code: 'format' }] });
  });

  it('a second file, another name, and a form without a file', async () => {
    expect((await upload(editor, [imagePart(), imagePart()])).json.code).toBe('too_many_files');
    expect((await upload(editor, [imagePart(png(), { name: 'image' })])).json).toMatchObject({
      code: 'invalid_body',
      errors: [{ path: 'image', code: 'unknown_field' }],
    });
    expect((await upload(editor, [{ name: 'alt', bytes: 'A dish' }])).json.code).toBe('no_files');
    expect((await upload(editor, [imagePart('', { filename: '' })])).json.code).toBe('no_files');
    expect((await upload(editor, [{ bytes: png() }])).json).toMatchObject({
      code: 'no_files',
      message: expect.stringContaining('no file name'),
    });
  });

  it('a body that is no form, an announcement, and an incomplete form', async () => {
    const sent = (type: string, body: Uint8Array) =>
      call(`POST ${mediaAddress}`, { key: editor, headers: { 'content-type': type }, body });
    expect((await sent('image/png', png())).status).toBe(415);
    expect((await sent('multipart/form-data', png())).json.code).toBe('malformed_multipart');
    expect((await sent('multipart/form-data; boundary=x', Buffer.from('--x\r\n'))).json.code).toBe(
      'malformed_multipart',
    );
    expect((await sent('application/json', Buffer.from('{"files":[]}'))).json).toEqual({
      code: 'unsupported_media_type',
      message: 'Send the body as multipart/form-data, or announce direct uploads at /api/v1/manage/media/announce.',
    });
  });

  it('every method but POST', async () => {
    const { status, headers } = await call(`GET ${mediaAddress}`, { key: editor });
    expect([status, headers['allow']]).toEqual([405, 'POST']);
  });
});

describe('an Idempotency-Key', () => {
  const key = () => ({ 'idempotency-key': crypto.randomUUID() });

  it('makes one image of a retried upload', async () => {
    const headers = key();
    const first = await upload(editor, [imagePart()], headers);
    const others = await Promise.all([1, 2].map(() => upload(editor, [imagePart()], headers)));
    for (const other of others) expect([other.status, other.json]).toEqual([201, first.json]);
    expect((await upload(editor, [imagePart(png(4, 4))], headers)).status).toBe(422);
    const announcement = { name: 'a', type: 'image/png', size: 5 };
    expect((await announce(editor, announcement, headers)).status).toBe(422);
  });

  it('makes one image of concurrent uploads', async () => {
    const headers = key();
    const answers = await Promise.all([1, 2, 3].map(() => upload(editor, [imagePart()], headers)));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
  });

  it('stores an upload whose body takes longer to arrive than a call of the table may', async () => {
    const sent = formBody([imagePart()]);
    const { web } = await import('#functions/media-upload/handler.ts');
    const server = createServer((request, response) => void web(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${mediaAddress}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${editor}`, ...sent.headers, ...key() },
        body: ReadableStream.from(slowly(Buffer.from(sent.body), 2_700)),
        duplex: 'half',
      });
      expect(response.status).toBe(201);
    } finally {
      server.close();
    }
  });

  it('is not used up by a refused upload', async () => {
    const headers = key();
    expect((await upload(editor, [imagePart(svg)], headers)).status).toBe(400);
    expect((await upload(editor, [imagePart()], headers)).status).toBe(201);
  });
});
