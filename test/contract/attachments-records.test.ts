import { describe, expect, it } from '@jest/globals';
import { objectSize } from '#lib/files/object-size.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import { attachmentKitchen } from '#test/support/attachment-kitchen.ts';
import { call } from '#test/support/call.ts';
import { exported, exportText, importText } from '#test/support/document-text.ts';
import { formBody } from '#test/support/multipart.ts';
import { load, testTable } from '#test/support/world.ts';

const { keys, workspaceId, document } = await attachmentKitchen();
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
  it.each([
    ['att_1', '2026-01/att_1/menu.pdf'],
    ['att_2', '2026-01/other/menu.pdf'],
    ['att.3', 'old.pdf'],
    ['att_4', 'a/very/deep/place/old.pdf'],
  ])('%s is found by its id and by its key %s', async (id, s3Key) => {
    const attachment = imported(id, s3Key);
    await load({ ...document, attachments: [attachment] });
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

describe('an uploaded attachment', () => {
  it('is exported and imported unchanged, and a merely announced one is not exported', async () => {
    const form = formBody([{ filename: 'a.txt', bytes: 'hello' }]);
    const { id } = (await call('POST /api/v1/connect/attachments', { key: keys.uploader, ...form })).json.files[0];
    const body = { files: [{ name: 'b.txt', type: '', size: 5 }] };
    const announced = (await call('POST /api/v1/connect/attachments', { key: keys.uploader, body })).json.files[0];
    const out = (await exported(workspaceId)).attachments.map((attachment: { id: string }) => attachment.id);
    expect(out).toContain(id);
    expect(out).not.toContain(announced.id);
    const text = await exportText(workspaceId, 'json');
    expect(await importText(text, 'json')).toMatchObject({ failures: [], changed: 0 });
    expect(await attachments().find(id)).toMatchObject({ id, name: 'a.txt', size: 5 });
    expect(await attachments().find(announced.id, objectSize)).toBeUndefined();
  });

  it('is listed beside unreadable ones, which do not hide it', async () => {
    const form = formBody([{ filename: 'a.txt', bytes: 'hello' }]);
    const { id } = (await call('POST /api/v1/connect/attachments', { key: keys.uploader, ...form })).json.files[0];
    const asked = ['', id, 'att_gone', id, '../x', 'constructor', `${id}0`];
    expect([...(await attachments().readable(asked))]).toEqual([id]);
    expect([...(await attachments().readable([]))]).toEqual([]);
  });
});
