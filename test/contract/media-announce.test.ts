import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { announce, mediaAddress } from '#test/support/media.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('media');
const { editor, reader } = kitchen.keys;
const base = process.env['ASSET_BASE_URL'] ?? '';
const address = `POST ${mediaAddress}/announce`;
const image = { name: 'Kabsa.JPG', type: 'image/jpg', size: 10_485_760 };

describe('an announced image', () => {
  it('has its address, and the request to send it with', async () => {
    const { status, json } = await announce(editor, image);
    const id = expect.stringMatching(/^img_[0-9a-z]{33}$/);
    const headers = { 'content-type': 'image/jpeg', 'content-length': '10485760', 'if-none-match': '*' };
    const upload = { method: 'PUT', url: expect.stringContaining(json.id), headers, expiresAt: expect.any(String) };
    expect([status, json]).toEqual([201, { id, url: `${base}/media/${json.id}`, upload }]);
  });

  it('requires the permission to update entries or to manage products, of the key and of its member', async () => {
    expect((await announce(kitchen.keys.manager, image)).status).toBe(201);
    expect((await announce(reader, image)).json.code).toBe('permission_denied');
    expect((await announce(kitchen.keys.overruled, image)).status).toBe(403);
    expect((await call(address, { body: { files: [image] } })).status).toBe(401);
  });

  it('is the same for a repeated Idempotency-Key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const file = { name: 'a.png', type: 'image/png', size: 5 };
    const first = await announce(editor, file, headers);
    expect((await announce(editor, file, headers)).json).toEqual(first.json);
    expect((await announce(editor, { ...file, size: 6 }, headers)).status).toBe(422);
  });
});

describe('refused is', () => {
  it.each<[string, object, number, string]>([
    ['more than 10 MB', { name: 'a', type: 'image/png', size: 10_485_761 }, 413, 'file_too_large'],
    ['a size as string', { name: 'a', type: 'image/png', size: '5' }, 400, 'validation_failed'],
    ['no name', { type: 'image/png', size: 5 }, 400, 'validation_failed'],
  ])('an announcement with %s', async (_, file, status, code) => {
    const answer = await announce(editor, file);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  it('an announcement with half a byte, and names the limit of images', async () => {
    const { json } = await announce(editor, { name: 'a', type: 'image/png', size: 0.5 });
    expect(json.errors).toEqual([
      {
        path: 'files.0.size',
        code: 'type',
        message: 'files.0.size: Must be a number of bytes from 0 to 10485760 (10 MB).',
      },
    ]);
  });

  it('an announcement of two images or of none', async () => {
    const file = { name: 'a', type: 'image/png', size: 5 };
    const codeOf = async (files: object[]) => (await call(address, { key: editor, body: { files } })).json.code;
    expect([await codeOf([file, file]), await codeOf([])]).toEqual(['too_many_files', 'no_files']);
    expect((await call(address, { key: editor, body: { files: [] } })).json.message).toBe('Announce one file.');
  });

  it('a body that is no announcement', async () => {
    const sent = (type: string, body: string) =>
      call(address, { key: editor, headers: { 'content-type': type }, body: Buffer.from(body) });
    expect((await sent('multipart/form-data; boundary=x', '--x--')).status).toBe(415);
    expect((await sent('application/json', '[')).json.code).toBe('invalid_body');
    expect((await sent('application/json', `{"files":[],"x":"${'x'.repeat(1_048_576)}"}`)).status).toBe(413);
  });

  it('every method but POST, because no image has this id', async () => {
    const { status, headers } = await call(`GET ${mediaAddress}/announce`, { key: editor });
    expect([status, headers['allow']]).toEqual([405, 'POST']);
  });
});
