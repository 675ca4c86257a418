import { describe, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { repeatTransaction } from '#lib/table/writer/repeat-write.ts';
import { call } from '#test/support/call.ts';
import { exportedFromScan } from '#test/support/document-text.ts';
import { formBody } from '#test/support/multipart.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { conversations, type Visitor } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

await openOwnTable();
const room = await openWorkspace('visitors');
const path = '/api/v1/connect/attachments';
const note = formBody([{ filename: 'note.txt', type: 'text/plain', bytes: 'A note.' }]);
const uploadWith = async (key: string, headers = {}) => {
  const { status, json } = await call(`POST ${path}`, {
    key,
    body: note.body,
    headers: { ...note.headers, ...headers },
  });
  return { status, json, file: json.files?.[0] };
};
const download = (key: string, s3Key: string) => call(`GET /api/v1/connect/assets/${s3Key}`, { key });
const say = ({ token, conversationId }: Visitor, attachments: string[]) =>
  call(`POST ${conversations}/${conversationId}/messages`, {
    key: token,
    body: { senderType: 'customer', attachments },
  });
const remove = (workspaceId: string, conversationId: string) =>
  repeatTransaction(testTable(), {
    conversation: { Delete: { Key: keys.record(workspaceId, 'conversation', conversationId) } },
  });
const fileNotFound = { message: 'File not found.', code: 'not_found' };

describe('a file of a visitor', () => {
  it('can be uploaded, downloaded and sent with any token of the conversation, even a renewed one', async () => {
    const visitor = await room.visit();
    const { status, file } = await uploadWith(visitor.token);
    expect(status).toBe(200);
    expect((await download(visitor.token, file.s3Key)).text).toBe('A note.');
    const renewed: Visitor = (await room.session({ renew: visitor.token })).json;
    const sent = await say(renewed, [file.id]);
    expect([sent.status, sent.json.attachments]).toMatchObject([201, [{ id: file.id, name: 'note.txt', size: 7 }]]);
    expect((await download(renewed.token, file.s3Key)).status).toBe(200);
  });

  it('can be announced, sent to the bucket, and sent in a message immediately', async () => {
    const visitor = await room.visit();
    const files = [{ name: 'a.txt', type: 'text/plain', size: 5 }];
    const { json } = await call(`POST ${path}/announce`, { key: visitor.token, body: { files } });
    const [{ id, s3Key, upload }] = json.files;
    expect((await download(visitor.token, s3Key)).status).toBe(404);
    expect(await say(visitor, [id])).toMatchObject({ status: 400, json: { errors: [{ code: 'not_found' }] } });
    await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: 'hello' });
    expect((await say(visitor, [id])).status).toBe(201);
    expect((await download(visitor.token, s3Key)).text).toBe('hello');
  });

  it('is not stored if its conversation is removed during the upload, and the token has ended', async () => {
    const visitor = await room.visit();
    await remove(room.workspaceId, visitor.conversationId);
    for (const headers of [{}, { 'idempotency-key': 'removed' }]) {
      const { status, file, json } = await uploadWith(visitor.token, headers);
      expect([status, json.code, file]).toEqual([401, 'invalid_api_key', undefined]);
    }
  });

  it('is stored one time for a retry with an Idempotency-Key of the conversation', async () => {
    const visitor = await room.visit();
    const other = await room.visit();
    const once = { 'idempotency-key': 'upload-1' };
    const first = await uploadWith(visitor.token, once);
    const again = await uploadWith(visitor.token, once);
    const theirs = await uploadWith(other.token, once);
    const ofKey = await uploadWith(room.key, once);
    expect(again.file).toEqual(first.file);
    expect(new Set([first, theirs, ofKey].map(({ file }) => file.id)).size).toBe(3);
  });
});

describe('another file', () => {
  it('a file of another visitor is 404 to download and 400 to send', async () => {
    const visitor = await room.visit();
    const other = await room.visit();
    const { file } = await uploadWith(other.token);
    const answer = await download(visitor.token, file.s3Key);
    expect([answer.status, answer.json]).toEqual([404, fileNotFound]);
    expect(await say(visitor, [file.id])).toMatchObject({
      status: 400,
      json: { code: 'validation_failed', errors: [{ path: 'attachments.0', code: 'not_found' }] },
    });
    await say(other, [file.id]);
    expect((await download(visitor.token, file.s3Key)).status).toBe(404);
  });

  it('a file of the website can be read after a message names it, but cannot be sent', async () => {
    const visitor = await room.visit();
    const { file } = await uploadWith(room.key);
    expect((await download(visitor.token, file.s3Key)).status).toBe(404);
    expect((await say(visitor, [file.id])).status).toBe(400);
    await room.say(visitor.conversationId, { senderType: 'member', attachments: [file.id] });
    expect((await download(visitor.token, file.s3Key)).text).toBe('A note.');
    expect((await say(visitor, [file.id])).status).toBe(400);
  });

  it('a file of another workspace, or an absent one, is 404', async () => {
    const visitor = await room.visit();
    const other = await openWorkspace('visitors');
    const { file } = await uploadWith((await other.visit()).token);
    const keys = [
      file.s3Key,
      `workspaces/${room.workspaceId}/drive/messaging/2026-01/att_9/a.pdf`,
      'workspaces/x',
      'x',
    ];
    for (const s3Key of keys) {
      const answer = await download(visitor.token, s3Key);
      expect([answer.status, answer.json]).toEqual([404, fileNotFound]);
    }
  });

  it('a file of an imported message can be read', async () => {
    const own = await openWorkspace('visitors');
    const visitor = await own.visit();
    const { file } = await uploadWith(own.key);
    expect((await download(visitor.token, file.s3Key)).status).toBe(404);
    const { workspace } = own.document;
    const message = {
      id: 'msg_file',
      conversationId: visitor.conversationId,
      senderType: 'member',
      senderId: 'mem_1',
      text: '',
      attachments: [file.id],
    };
    await load({ version: 1, workspace, messaging: { messages: [message] } });
    expect((await download(visitor.token, file.s3Key)).text).toBe('A note.');
  });

  it('that an imported message no longer names cannot be read, unless another message names it', async () => {
    const own = await openWorkspace('visitors');
    const visitor = await own.visit();
    const kept = await uploadWith(own.key);
    const dropped = await uploadWith(own.key);
    const added = await uploadWith(own.key);
    const ids = [kept, dropped, added].map(({ file }) => file.id);
    const { workspace } = own.document;
    const importWith = (attachments: string[], rest: object = {}) => {
      const sender = { senderType: 'member', senderId: 'mem_1', text: '' };
      const message = { id: 'msg_file', conversationId: visitor.conversationId, ...sender, ...rest, attachments };
      return load({ version: 1, workspace, messaging: { messages: [message] } });
    };
    const statuses = async () => {
      const answers = [kept, dropped, added].map(({ file }) => download(visitor.token, file.s3Key));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    await importWith(ids.slice(0, 2));
    expect(await statuses()).toEqual([200, 200, 404]);
    await own.say(visitor.conversationId, { senderType: 'member', attachments: ids.slice(0, 1) });
    await importWith(ids.slice(2));
    expect(await statuses()).toEqual([200, 404, 200]);
    await importWith(ids.slice(2), { conversationId: 'conv_bare' });
    expect(await statuses()).toEqual([200, 404, 404]);
  });

  it('cannot be read after its conversation was removed', async () => {
    const own = await openWorkspace('visitors');
    const visitor = await own.visit();
    const { file } = await uploadWith(visitor.token);
    expect((await download(visitor.token, file.s3Key)).status).toBe(200);
    const { exportedAt, ...document } = await exportedFromScan(own.workspaceId);
    document.messaging.conversations = document.messaging.conversations.filter(
      ({ id }: { id: string }) => id !== visitor.conversationId,
    );
    await load(document, { prune: true });
    expect((await download(visitor.token, file.s3Key)).status).toBe(404);
    expect((await own.session({ renew: visitor.token })).status).toBe(404);
  });
});
