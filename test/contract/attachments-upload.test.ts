import { describe, expect, it } from '@jest/globals';
import { type Call, call } from '#test/support/call.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { formBody, type Part } from '#test/support/multipart.ts';
import { leftovers, noFiles, objectBytes } from '#test/support/stored-files.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys, workspaceId } = await openWorkspace('files');
const address = 'POST /api/v1/connect/attachments';
const send = (parts: readonly Part[], options: Call = {}) =>
  call(address, { key: keys.uploader, ...formBody(parts), ...options });
const file: Part = { filename: 'a.txt', bytes: 'hello' };
const megabyte = 1_048_576;

describe('an upload', () => {
  it('answers every file in order, with its documented members only', async () => {
    const now = () => new Date().toISOString().slice(0, 7);
    const before = now();
    const { status, headers, json } = await send([
      { filename: 'Summer menu.pdf', type: 'application/pdf', bytes: 'one' },
      { filename: 'صورة.png', bytes: 'two' },
    ]);
    // A month may have ended in the meantime.
    const month = json.files[0].s3Key.includes(`/${before}/`) ? before : now();
    const id = expect.stringMatching(/^att_[0-9a-z]{33}$/);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/json; charset=utf-8' });
    expect(json).toEqual({
      files: [
        { id, name: 'Summer-menu.pdf', type: 'application/pdf', s3Key: expect.anything(), url: expect.anything() },
        { id, name: 'صورة.png', type: 'image/png', s3Key: expect.anything(), url: expect.anything() },
      ],
    });
    const folder = `workspaces/${workspaceId}/drive/messaging/${month}`;
    const [first, second] = json.files;
    expect(first.s3Key).toBe(`${folder}/${first.id}/Summer-menu.pdf`);
    expect(second.s3Key).toBe(`${folder}/${second.id}/file.png`);
    expect(first.url).toBe(`http://assets.example/api/v1/connect/assets/${first.s3Key}`);
    expect(String(await objectBytes(first.s3Key)) + String(await objectBytes(second.s3Key))).toBe('onetwo');
  });

  it('leaves an object and a record for each file, and no announcement', async () => {
    const { s3Key } = (await send([file])).json.files[0];
    const left = await leftovers(workspaceId);
    expect(left.objects).toContain(s3Key);
    expect(left).toMatchObject({ records: left.objects, openUploads: [], announced: [] });
  });

  it.each([0, 1, 65_536, isLongRun ? 4 * megabyte : 500_000])('stores %d bytes unchanged', async (size) => {
    const bytes = Buffer.alloc(size, 'ab\r\n--');
    const { s3Key } = (await send([{ filename: 'x.bin', bytes }])).json.files[0];
    expect((await objectBytes(s3Key)).equals(bytes)).toBe(true);
  });

  it('accepts the key in x-api-key, too', async () => {
    const { headers, body } = formBody([file]);
    expect((await call(address, { headers: { ...headers, 'x-api-key': keys.uploader }, body })).status).toBe(200);
  });
});

describe('a caller who may not upload', () => {
  const { headers, body } = formBody([file]);

  it('an upload without a key, or with one in the query, is answered 401', async () => {
    for (const path of [address, `${address}?apiKey=${keys.uploader}`]) {
      const { status, json } = await call(path, { headers, body });
      expect({ status, code: json.code }).toEqual({ status: 401, code: 'missing_api_key' });
    }
  });

  it.each([
    ['reader', 'permission_denied', 'messaging:conversation:engage'],
    ['memberless', 'member_required', 'member'],
    ['overruled', 'permission_denied', 'messaging:conversation:engage'],
  ] as const)('an upload with the key of the %s: 403 %s', async (name, code, words) => {
    const answer = await call(address, { key: keys[name], headers, body });
    expect(answer).toMatchObject({ status: 403, json: { code, message: expect.stringContaining(words) } });
  });

  it('is refused before any error of the body is reported', async () => {
    const text = { 'content-type': 'text/plain' };
    expect((await call(address, { key: keys.reader, headers: text, body: 'x' })).status).toBe(403);
    expect((await call(address, { headers: text, body: 'x' })).status).toBe(401);
  });
});

describe('a refused upload', () => {
  it('the refusal of another method names the allowed one', async () => {
    const { status, headers } = await call('GET /api/v1/connect/attachments', { key: keys.uploader });
    expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow: 'POST' });
  });

  it.each([
    ['text/plain', {}],
    ['', {}],
    ['multipart/mixed; boundary=x', {}],
    ['multipart/form-data; boundary=formEnd1234567890', { 'content-encoding': 'gzip' }],
    ['application/json', { 'content-encoding': 'identity' }],
  ])('an upload of the type %j is answered 415, whatever its size', async (type, others) => {
    const body = Buffer.alloc(type === 'text/plain' ? 5 * megabyte : 5);
    const answer = await call(address, { key: keys.uploader, headers: { 'content-type': type, ...others }, body });
    expect(answer).toMatchObject({ status: 415, json: { code: 'unsupported_media_type' } });
  });

  it('over 4.4 MB in an event is answered 413, with the way for larger files', async () => {
    const most = Math.floor(4.4 * megabyte);
    const around = formBody([{ ...file, bytes: '' }]).body.length;
    const fits = await send([{ ...file, bytes: Buffer.alloc(most - around) }]);
    const { status, json } = await send([{ ...file, bytes: Buffer.alloc(most - around + 1) }]);
    expect({ fits: fits.status, status, code: json.code }).toEqual({ fits: 200, status: 413, code: 'body_too_large' });
    expect(json.message).toContain('application/json');
  });

  it.each([
    ['no file', [], 'no_files', 'files', 'required'],
    ['a part that has no file name', [{ bytes: 'hello' }], 'no_files', 'files', 'required'],
    ['six files', Array(6).fill(file), 'too_many_files', 'files', 'max_items'],
    ['a part of another name', [{ ...file, name: 'image' }], 'invalid_body', 'image', 'unknown_field'],
  ] as const)('the refusal of an upload with %s says where the issue is', async (_, parts, code, path, issueCode) => {
    const before = await leftovers(workspaceId);
    const { status, json } = await send(parts);
    expect({ status, json }).toEqual({
      status: 400,
      json: {
        code,
        message: json.message,
        errors: [{ path, code: issueCode, message: json.message }],
      },
    });
    expect(await leftovers(workspaceId)).toEqual(before);
  });

  it('an upload without a file name is told so, and a form without the part files is not', async () => {
    const message = async (parts: readonly Part[]) => (await send(parts)).json.message;
    const typed = { head: ['Content-Disposition: form-data; name=files;', 'Content-Type: image/png'], bytes: 'x' };
    expect(await message([{ name: 'other', bytes: 'x' }, typed])).toContain('no file name; add filename="..."');
    expect(await message([{ name: 'file', bytes: 'x' }])).toBe('Send 1 to 5 files, in parts named files.');
    expect((await send([{ bytes: 'a field' }, file])).status).toBe(200);
  });

  it('changes nothing in the other workspace', async () => {
    const other = await openWorkspace('files');
    await send([file]);
    expect(await leftovers(other.workspaceId)).toEqual(noFiles);
  });
});
