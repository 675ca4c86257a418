import { expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { conversations } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const room = await openWorkspace('talk', ({ messaging }) => {
  messaging.conversations.push({
    id: 'conv_full',
    kind: 'order',
    parentId: 'conv_1',
    channelId: 'ch_2',
    customerId: 'cus_2',
    language: 'ar',
    status: 'snoozed',
    assignee: { type: 'member', id: 'mem_3' },
    createdAt: '2026-01-02T03:04:05.678Z',
    updatedAt: '2026-01-03T03:04:05.678Z',
  });
});

it('GET /connect/conversations/{id} returns the stored properties only, with a strong ETag', async () => {
  const { status, json, headers } = await room.send('GET', '/conv_full');
  expect(status).toBe(200);
  expect(json).toEqual(room.document.messaging.conversations.at(-1));
  expect(headers['etag']).toMatch(/^"[^"]+"$/);
  expect((await room.send('GET', '/conv_full', undefined, { 'if-none-match': headers['etag'] ?? '' })).status).toBe(
    304,
  );
});

it('GET /connect/conversations/{id} has the time of the import where the document has none', async () => {
  const { json } = await room.send('GET', '/conv_1');
  expect(json).toMatchObject({ kind: 'main', assignee: null, createdAt: json.updatedAt, status: 'open' });
});

it('GET /connect/conversations/{id} returns 404 for an absent id, a malformed one and one of another workspace, with the same body', async () => {
  const other = await openWorkspace('talk', ({ messaging }) => messaging.conversations.push({ id: 'conv_theirs' }));
  expect((await other.send('GET', '/conv_theirs')).status).toBe(200);
  for (const id of ['conv_9', 'conv_theirs', 'a%23b', '%F0%9F%8D%95']) {
    expect(await room.send('GET', `/${id}`)).toMatchObject({
      status: 404,
      json: { message: 'Conversation not found.', code: 'not_found' },
    });
  }
});

it('GET /connect/conversations/{id} requires the read permission of key and member', async () => {
  const { workspaceId } = room;
  const of = (key: string) => call(`GET ${conversations}/conv_1`, { key });
  expect((await of(room.keys.reader)).status).toBe(200);
  expect((await of(`weak-${workspaceId}`)).status).toBe(403);
  expect((await of(`alone-${workspaceId}`)).status).toBe(403);
  expect((await call(`GET ${conversations}/conv_1`)).status).toBe(401);
});
