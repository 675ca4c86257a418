import { beforeAll, describe, expect, it } from '@jest/globals';
import { objectSize } from '#lib/files/read-file.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import { call } from '#test/support/call.ts';
import { exported, exportText, importText } from '#test/support/document-text.ts';
import { someOf } from '#test/support/long-run.ts';
import { formBody } from '#test/support/multipart.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const { keys, workspaceId, document } = await openWorkspace('files');
const attachments = () => new Attachments(testTable(), { workspaceId });
const imported = (id: string, s3Key: string) => ({
  id,
  name: 'menu.pdf',
  s3Key: `workspaces/${workspaceId}/drive/messaging/${s3Key}`,
  type: 'application/pdf',
  size: 5,
  createdAt: '2026-01-01T00:00:00.000Z',
});

describe('an imported attachment', () => {
  const places = [
    ['att_1', '2026-01/att_1/menu.pdf'],
    ['att_2', '2026-01/other/menu.pdf'],
    ['att.3', 'old.pdf'],
    ['att_4', 'a/very/deep/place/old.pdf'],
  ] as const;
  beforeAll(() => load({ ...document, attachments: places.map(([id, s3Key]) => imported(id, s3Key)) }));

  it.each(places)('%s is found by its id and by its key %s', async (id, s3Key) => {
    const attachment = imported(id, s3Key);
    expect(await attachments().find(id)).toEqual(attachment);
    expect(await attachments().findByKey(attachment.s3Key)).toEqual(attachment);
  });

  it('is found by its current key only', async () => {
    const before = imported('att_5', 'before.pdf');
    const after = imported('att_5', 'after.pdf');
    await load({ ...document, attachments: [before] });
    await load({ ...document, attachments: [after] });
    expect(await attachments().findByKey(before.s3Key)).toBeUndefined();
    expect(await attachments().findByKey(after.s3Key)).toEqual(after);
  });

  it.each(['', '..', 'x'.repeat(3_000), 'workspaces/', `workspaces/${workspaceId}/drive/messaging/\0`, '#'])(
    'is not found by %j',
    async (text) => {
      expect(await attachments().find(text)).toBeUndefined();
      expect(await attachments().findByKey(text)).toBeUndefined();
    },
  );
});

describe('the charset of an imported attachment', () => {
  it.each(['', 'a b', 'utf-8\r\nx: y', '"utf-8"', 'x'.repeat(41), 5, null])('cannot be %j', async (charset) => {
    const attachment = { ...imported('att_6', '2026-01/att_6/menu.pdf'), charset };
    const text = JSON.stringify({ ...document, attachments: [attachment] });
    const { failures } = await importText(text, 'json');
    expect(failures).toMatchObject([{ path: expect.stringContaining('charset') }]);
  });
});

describe('an uploaded attachment', () => {
  it('is exported and imported unchanged, and a merely announced one is not exported', async () => {
    const form = formBody([{ filename: 'a.txt', bytes: 'hello' }]);
    const { id } = (await call('POST /api/v1/connect/attachments', { key: keys.uploader, ...form })).json.files[0];
    const body = { files: [{ name: 'b.txt', type: '', size: 5 }] };
    const announced = (await call('POST /api/v1/connect/attachments/announce', { key: keys.uploader, body })).json
      .files[0];
    const out = (await exported(workspaceId)).attachments.map((attachment: { id: string }) => attachment.id);
    expect(out).toContain(id);
    expect(out).not.toContain(announced.id);
    const text = await exportText(workspaceId, 'json');
    expect(await importText(text, 'json')).toMatchObject({ failures: [], changed: 0 });
    expect(await attachments().find(id)).toMatchObject({ id, name: 'a.txt', size: 5 });
    expect(await attachments().find(announced.id, objectSize)).toBeUndefined();
  });

  const charsets = [
    ['text/csv;charset="Shift_JIS";', '\x83\x81', 'text/csv', 'shift_jis'],
    ['image/jpg; charset=utf-16', 'x', 'image/jpeg', undefined],
    ['text/plain; charset=windows-1256', '\xe3\xd1\xcd\xc8\xc7', 'text/plain', 'windows-1256'],
    ['text/plain; charset=', 'x', 'text/plain', undefined],
  ] as const;
  it.each(someOf(charsets, 2))(
    'sent as %s, by form or announced, keeps its charset, also after an export',
    async (sent, bytes, type, charset) => {
      const form = formBody([{ filename: 'a.bin', type: sent, bytes: Buffer.from(bytes, 'latin1') }]);
      const uploaded = (await call('POST /api/v1/connect/attachments', { key: keys.uploader, ...form })).json.files[0];
      const body = { files: [{ name: 'b.bin', type: sent, size: bytes.length }] };
      const direct = (await call('POST /api/v1/connect/attachments/announce', { key: keys.uploader, body })).json
        .files[0];
      // fetch sets the length itself.
      const { 'content-length': _, ...headers } = direct.upload.headers;
      const put = { method: 'PUT', headers, body: Buffer.from(bytes, 'latin1') };
      expect((await fetch(direct.upload.url, put)).status).toBe(200);
      const download = () =>
        Promise.all(
          [uploaded, direct].map(({ s3Key }) => call(`GET /api/v1/connect/assets/${s3Key}`, { key: keys.uploader })),
        );
      const asSent = [
        200,
        charset || type.startsWith('text/') ? `${type}; charset=${charset ?? 'utf-8'}` : type,
        bytes,
      ];
      const seen = (answers: Awaited<ReturnType<typeof download>>) =>
        answers.map(({ status, headers, bytes }) => [status, headers['content-type'], bytes.toString('latin1')]);
      expect(seen(await download())).toEqual([asSent, asSent]);
      expect([uploaded.type, direct.type, 'charset' in uploaded]).toEqual([type, type, false]);
      const text = await exportText(workspaceId, 'ndjson');
      for (const { id } of [uploaded, direct]) {
        expect(await attachments().find(id)).toEqual(expect.objectContaining(charset ? { type, charset } : { type }));
        expect(text.includes(`"charset":"${charset}"`)).toBe(charset !== undefined);
      }
      expect(await importText(text, 'ndjson')).toMatchObject({ failures: [], changed: 0 });
      expect(seen(await download())).toEqual([asSent, asSent]);
    },
  );

  it('is listed beside unreadable ones, which do not hide it', async () => {
    const form = formBody([{ filename: 'a.txt', bytes: 'hello' }]);
    const { id } = (await call('POST /api/v1/connect/attachments', { key: keys.uploader, ...form })).json.files[0];
    const asked = ['', id, 'att_gone', id, '../x', 'constructor', `${id}0`];
    expect([...(await attachments().readable(asked))]).toEqual([id]);
    expect([...(await attachments().readable([]))]).toEqual([]);
  });
});
