import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { png } from '#test/support/image-files.ts';
import { fetchImage, imagePart, upload } from '#test/support/media.ts';
import { formBody } from '#test/support/multipart.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('media');
const bytes = png();
const { url } = (await upload(kitchen.keys.editor, [imagePart(bytes)])).json;

describe('a public image', () => {
  it('is sent without a key, for caches, with headers that prevent scripts', async () => {
    const { status, headers, bytes: sent } = await fetchImage(url);
    expect([status, sent.equals(bytes)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^".+"$/),
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect((await call(`GET ${new URL(url, 'http://x').pathname}`, { key: 'no key that counts' })).status).toBe(200);
  });

  it('is the same for HEAD, without its bytes', async () => {
    const got = await fetchImage(url);
    const head = await fetchImage(url, {}, 'HEAD');
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, String(bytes.length)]);
    expect(head.headers['etag']).toBe(got.headers['etag']);
  });

  it('is sent in ranges', async () => {
    const part = await fetchImage(url, { range: 'bytes=1-3' });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([206, 'PNG', `bytes 1-3/${bytes.length}`]);
    expect(part.headers['cache-control']).toContain('immutable');
    const outside = await fetchImage(url, { range: `bytes=${bytes.length}-` });
    expect([outside.status, outside.headers['content-range']]).toEqual([416, `bytes */${bytes.length}`]);
    const etag = (await fetchImage(url)).headers['etag'] ?? '';
    expect((await fetchImage(url, { range: 'bytes=0-0', 'if-range': etag })).status).toBe(206);
    expect((await fetchImage(url, { range: 'bytes=0-0', 'if-range': '"other"' })).status).toBe(200);
  });

  it('is 304 for its ETag', async () => {
    const etag = (await fetchImage(url)).headers['etag'] ?? '';
    const { status, headers, text } = await fetchImage(url, { 'if-none-match': etag });
    expect([status, text, headers['etag']]).toEqual([304, '', etag]);
  });
});

describe('the public address', () => {
  it('gives access to images only', async () => {
    const files = await openWorkspace('files');
    const { headers, body } = formBody([{ filename: 'a.png', type: 'image/png', bytes }]);
    const sent = await call('POST /api/v1/connect/attachments', { key: files.keys.uploader, headers, body });
    const [{ id, s3Key }] = sent.json.files;
    const own = url.slice(url.indexOf('/media/') + '/media/'.length);
    for (const key of [
      id,
      s3Key,
      encodeURIComponent(s3Key),
      'x',
      '.',
      '..',
      '%2e%2e',
      '%00',
      own.toUpperCase(),
      `${own}.png`,
      `${own}/`,
      `..%2f${own}`,
      `%2e%2e%2f${encodeURIComponent(s3Key)}`,
      'img_00000000000000000000000000000000',
      `workspaces/${kitchen.workspaceId}/media/${own}`,
    ]) {
      const answer = await call(`GET /media/${key}`);
      expect([key, answer.status, answer.json.code]).toEqual([key, 404, 'not_found']);
      expect(answer.headers['cache-control'] ?? '').not.toContain('public');
    }
  });

  it('accepts GET and HEAD only', async () => {
    const { status, headers } = await fetchImage(url, {}, 'DELETE');
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});
