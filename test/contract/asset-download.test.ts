import { createHash, randomBytes } from 'node:crypto';
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Call, call } from '#test/support/call.ts';
import { newAssetKey, record, store } from '#test/support/drive.ts';
import { s3Client, testBucket } from '#test/support/files-client.ts';
import { someOf } from '#test/support/long-run.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

let drive: Workspace<'drive'>;
let other: Workspace<'drive'>;

beforeAll(async () => {
  [drive, other] = await Promise.all([openWorkspace('drive'), openWorkspace('drive')]);
});

const ask = (key: string, options: Call = {}, method = 'GET') =>
  call(`${method} /api/v1/connect/assets/${key}`, { key: drive.keys.readByRead, ...options });
const textFile = { name: 'note.txt', type: 'text/plain', bytes: Buffer.from('0123456789') };

/** What a browser goes by, for each way to ask for the bytes of a file. */
async function deliveriesOf(recorded: { readonly type: string; readonly charset?: string }) {
  const key = await store(drive, { ...textFile, ...recorded });
  const answers = await Promise.all([
    ask(key),
    ask(key, {}, 'HEAD'),
    ask(key, { headers: { range: 'bytes=2-5' } }),
    ask(key, { headers: { range: 'bytes=-3', 'if-range': '"other"' } }),
  ]);
  return answers.map(({ status, headers }) => ({
    status,
    type: headers['content-type'],
    kind: headers['content-disposition']?.split(';')[0],
    policy: headers['content-security-policy'],
    sniffing: headers['x-content-type-options'],
  }));
}

const everyDelivery = (kind: string, type: string, charset = 'utf-8') =>
  [200, 200, 206, 200].map((status) => ({
    status,
    type: type.startsWith('text/') ? `${type}; charset=${charset}` : type,
    kind,
    policy: "default-src 'none'; sandbox",
    sniffing: 'nosniff',
  }));

/** The types of files that no browser may show, first those that could do most harm. */
const saved = [
  'text/html',
  'image/svg+xml',
  'application/pdf',
  'text/javascript',
  'application/xml',
  'application/xhtml+xml',
  'image/svg',
  'application/octet-stream',
  'audio/mpeg',
  'audio/ogg',
  'video/mp4',
  'video/webm',
  'video/svg+xml',
  'image/avif',
  'image/tiff',
  'image/x-icon',
  'text/xml',
  'text/xsl',
  'text/css',
  'text/vtt',
  'text/markdown',
  'application/rss+xml',
  'application/mathml+xml',
  'application/javascript',
  'application/manifest+json',
  'application/wasm',
  'application/x-shockwave-flash',
  'multipart/related',
  'multipart/x-mixed-replace',
  'message/rfc822',
];

const fileNotFound = { message: 'File not found.', code: 'not_found' };

describe('a file', () => {
  // acceptance/attachments.long.test.ts reads the largest file.
  it.each([0, 1, 6_291_456])('a file of %d bytes is returned byte for byte', async (size) => {
    const bytes = randomBytes(size);
    const answer = await ask(await store(drive, { name: 'data.bin', type: 'application/zip', bytes }));
    expect(answer.status).toBe(200);
    expect(createHash('md5').update(answer.bytes).digest('hex')).toBe(createHash('md5').update(bytes).digest('hex'));
    expect(answer.headers).toEqual({
      'content-type': 'application/zip',
      'content-length': String(size),
      'content-disposition': `attachment; filename="data.bin"; filename*=UTF-8''data.bin`,
      'content-security-policy': "default-src 'none'; sandbox",
      etag: expect.stringMatching(/^"[^"]+"$/),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'x-file-size': String(size),
      'x-request-id': expect.any(String),
    });
  });

  it('has the same headers for HEAD, and no body', async () => {
    const key = await store(drive, textFile);
    const got = await ask(key);
    const head = await ask(key, {}, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.bytes).toHaveLength(0);
    expect({ ...head.headers, 'x-request-id': '' }).toEqual({ ...got.headers, 'x-request-id': '' });
    const ranged = await ask(key, { headers: { range: 'bytes=0-1' } }, 'HEAD');
    expect([ranged.status, ranged.headers['content-length']]).toEqual([200, '10']);
  });

  it.each(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain'])(
    'a file of type %s is shown in the browser, in a sandbox',
    async (type) => {
      expect(await deliveriesOf({ type })).toEqual(everyDelivery('inline', type));
    },
  );

  it.each(someOf(saved, 4))('a file of type %s is saved and never shown, and would be in a sandbox', async (type) => {
    expect(await deliveriesOf({ type })).toEqual(everyDelivery('attachment', type));
  });

  it.each([
    [{ type: 'text/plain', charset: 'windows-1256' }, 'inline', 'text/plain', 'windows-1256'],
    [{ type: 'text/csv', charset: 'euc-kr' }, 'attachment', 'text/csv', 'euc-kr'],
    [{ type: 'text/plain; charset=Big5' }, 'inline', 'text/plain', 'big5'],
    [{ type: 'image/png', charset: 'utf-16' }, 'inline', 'image/png', undefined],
    [{ type: 'image/pjpeg' }, 'inline', 'image/jpeg', undefined],
  ] as const)('a file recorded as %j is sent %s, as %s in %s', async (recorded, kind, type, charset) => {
    expect(await deliveriesOf(recorded)).toEqual(everyDelivery(kind, type, charset));
  });

  it.each(['text/html\r\nx-evil: 1', 'text', 'TEXT/HTML; x="', 'a/b c', '../etc'])(
    'a file of the malformed type %j is sent as a download',
    async (type) => {
      const { headers } = await ask(await store(drive, { ...textFile, type }));
      expect(headers['content-type']).toMatch(/^(?:application\/octet-stream|text\/html; charset=utf-8)$/);
      expect(headers['content-disposition']).toMatch(/^attachment;/);
    },
  );

  it.each([
    ['قائمة الطعام.pdf', 'file.pdf', '%D9%82%D8%A7%D8%A6%D9%85%D8%A9%20%D8%A7%D9%84%D8%B7%D8%B9%D8%A7%D9%85.pdf'],
    ['😀.png', 'file.png', '%F0%9F%98%80.png'],
    [`it's (1)*!.txt`, 'it-s-1.txt', 'it%27s%20%281%29%2A%21.txt'],
    ['a"b\\c;d\r\ne.txt', 'a-b-c-d-e.txt', 'a%22b%5Cc%3Bd%0D%0Ae.txt'],
    ['.htaccess', 'htaccess', '.htaccess'],
  ])('has the name %j for clients that decode it, and a safe name for others', async (name, ascii, encoded) => {
    const { headers } = await ask(await store(drive, { ...textFile, type: 'text/csv', name }));
    expect(headers['content-disposition']).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`);
  });
});

describe('an absent file', () => {
  it('is answered 404: an unknown key, a deleted file, and an object that is not the recorded one', async () => {
    const gone = await store(drive, textFile);
    await s3Client().send(new DeleteObjectCommand({ Bucket: testBucket(), Key: gone }));
    const changed = await store(drive, textFile);
    await record(drive, { ...textFile, bytes: undefined, s3Key: changed, size: 11 });
    for (const key of [newAssetKey(drive), gone, changed]) {
      for (const headers of [{}, { range: 'bytes=0-1' }, { 'if-none-match': '"x"' }] as Record<string, string>[]) {
        const answer = await ask(key, { headers });
        expect([answer.status, answer.json]).toEqual([404, fileNotFound]);
      }
      expect((await ask(key, {}, 'HEAD')).status).toBe(404);
    }
  });

  it('is not read from the bucket if only the bucket has it', async () => {
    const unrecorded = newAssetKey(drive);
    const object = { Bucket: testBucket(), Key: unrecorded, Body: textFile.bytes, ContentType: textFile.type };
    await s3Client().send(new PutObjectCommand(object));
    expect((await ask(unrecorded)).status).toBe(404);
  });
});

describe('a download', () => {
  it.each([
    ['readByRead', 200, undefined],
    ['engageByEngage', 200, undefined],
    ['bothByBoth', 200, undefined],
    ['bothByRead', 200, undefined],
    ['readByEngage', 403, 'permission_denied'],
    ['readByNothing', 403, 'permission_denied'],
    ['nothingByBoth', 403, 'permission_denied'],
    ['noMember', 403, 'member_required'],
  ] as const)('a download with %s is answered %d %s', async (name, status, code) => {
    const key = await store(drive, textFile);
    const answer = await ask(key, { key: drive.keys[name] });
    expect([answer.status, answer.json?.code]).toEqual([status, code]);
  });

  it('checks the permission before the file', async () => {
    expect((await ask('nothing', { key: drive.keys.powerless })).json.code).toBe('permission_denied');
    const missing = await ask('nothing', { headers: { authorization: '' } });
    expect([missing.status, missing.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    const inQuery = await call(`GET /api/v1/connect/assets/x?apiKey=${drive.keys.readByRead}`);
    expect([inQuery.status, inQuery.json.code]).toEqual([401, 'missing_api_key']);
    const byHeader = { authorization: '', 'x-api-key': drive.keys.readByRead };
    expect((await ask(await store(drive, textFile), { headers: byHeader })).status).toBe(200);
  });

  it('answers 403 for another workspace, whether the file exists or not', async () => {
    const theirs = await store(other, textFile);
    for (const key of [theirs, newAssetKey(other), 'workspaces/none/drive/x', 'x', 'workspaces/']) {
      const answer = await ask(key);
      expect([answer.status, answer.json?.code]).toEqual(
        key.endsWith('/') ? [404, 'not_found'] : [403, 'permission_denied'],
      );
    }
    expect((await ask(theirs)).text).not.toContain('0123');
  });

  it('accepts GET and HEAD only', async () => {
    const answer = await ask(newAssetKey(drive), {}, 'DELETE');
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});
