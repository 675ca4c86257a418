import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ScheduledEvent } from 'aws-lambda';
import { handler } from '#functions/records-expire/handler.ts';
import { Conversations } from '#lib/table/messaging/conversations.ts';
import { messagingKeys } from '#lib/table/messaging/keys.ts';
import { removeConversation } from '#lib/table/removals.ts';
import type { Item } from '#lib/table/schema.ts';
import { exportedFromScan } from '#test/support/document-text.ts';
import { dueItems } from '#test/support/due-items.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { allItems, openOwnTable } from '#test/support/own-table.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

await openOwnTable();
const { start } = freezeDate();
const day = 24 * 60 * 60_000;

const ago = (days: number, milliseconds = 0): string => new Date(start - days * day + milliseconds).toISOString();
const edge = ago(30);
const past = ago(30, -1);
const fileId = (end: string): string => `att_${Date.parse(past).toString(36).padStart(9, '0')}${end.padStart(24, '0')}`;
const [ofCustomer, ofTeam, ofOther] = [fileId('1'), fileId('2'), fileId('3')];

const conversation = (id: string, createdAt: string, rest: object = {}) => ({
  id,
  createdAt,
  updatedAt: createdAt,
  ...rest,
});
const message = (id: string, conversationId: string, createdAt: string, rest: object = {}) => ({
  id,
  conversationId,
  senderType: 'customer',
  senderId: 'cus_1',
  text: `Text of ${id}`,
  createdAt,
  ...rest,
});

const over = ['conv_over', 'conv_never_used', 'conv_sub'];
const messagesOver = ['msg_over_1', 'msg_over_2', 'msg_sub'];
const kept = ['conv_edge', 'conv_long'];

type Room = Workspace<'talk'>;

const open = (): Promise<Room> =>
  openWorkspace('talk', (document) => {
    const { id } = document.workspace;
    document.attachments = [ofCustomer, ofTeam, ofOther].map((file) => ({
      id: file,
      name: `${file}.pdf`,
      s3Key: `workspaces/${id}/drive/messaging/2026-01/${file}/menu.pdf`,
      type: 'application/pdf',
      size: 10,
      createdAt: past,
    }));
    document.messaging.conversations = [
      conversation('conv_over', ago(90), { channelId: 'ch_2', customerId: 'cus_1' }),
      conversation('conv_never_used', past, { channelId: 'ch_2' }),
      conversation('conv_edge', ago(90), { channelId: 'ch_1', customerId: 'cus_1' }),
      conversation('conv_long', ago(900), { channelId: 'ch_1', customerId: 'cus_2' }),
      conversation('conv_sub', ago(60), { kind: 'order', parentId: 'conv_edge' }),
    ];
    document.messaging.messages = [
      message('msg_over_1', 'conv_over', ago(80), { attachments: [ofCustomer] }),
      message('msg_over_2', 'conv_over', past, { senderType: 'member', senderId: 'mem_1', attachments: [ofTeam] }),
      message('msg_sub', 'conv_sub', ago(50), { senderType: 'member', senderId: 'mem_1' }),
      message('msg_edge', 'conv_edge', edge),
      message('msg_long_1', 'conv_long', ago(800)),
      message('msg_long_2', 'conv_long', ago(1)),
    ];
    document.notifications = [
      { id: 'not_over', type: 'hand_over', conversationId: 'conv_over', readAt: null, createdAt: past },
      { id: 'not_edge', type: 'hand_over', conversationId: 'conv_edge', readAt: null, createdAt: edge },
    ];
  });

const run = () =>
  handler({ time: new Date().toISOString() } as ScheduledEvent, { getRemainingTimeInMillis: () => 60_000 });
const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id).sort();
const listed = async ({ send }: Room, query = ''): Promise<string[]> => idsOf((await send('GET', query)).json.data);
const itemsNaming = async ({ workspaceId }: Room, ids: readonly string[]): Promise<string[]> =>
  (await allItems())
    .filter(({ pk, sk }) => `${pk} ${sk}`.includes(workspaceId) && !/^AUDIT#|#idempotency$/.test(pk))
    .filter((item) => ids.some((id) => JSON.stringify(item).includes(id)))
    .map(({ pk, sk }) => `${pk} ${sk}`)
    .sort();

beforeEach(() => {
  process.env['CONVERSATION_DAYS'] = '30';
});

afterEach(() => {
  delete process.env['CONVERSATION_DAYS'];
});

it('conversations whose time is over are in no answer and no export, and take no message', async () => {
  const room = await open();
  const { send, workspaceId } = room;
  expect(await listed(room)).toEqual(kept);
  for (const id of over) {
    const calls = [
      send('GET', `/${id}`),
      send('GET', `/${id}/messages`),
      send('POST', `/${id}/messages`, { text: 'Still there?', senderType: 'member' }),
      send('PATCH', `/${id}`, { status: 'resolved' }),
      send('POST', `/${id}/read`, { messageId: 'msg_over_1' }),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  }
  const document = await exportedFromScan(workspaceId);
  expect(idsOf(document.messaging.conversations)).toEqual(kept);
  expect(idsOf(document.messaging.messages)).toEqual(['msg_edge', 'msg_long_1', 'msg_long_2']);
  expect(idsOf(document.notifications)).toEqual(['not_edge']);
});

it('a cursor into the time that is over leads to the end of the list', async () => {
  const room = await open();
  process.env['CONVERSATION_DAYS'] = '';
  const { json } = await room.send('GET', '?limit=4');
  process.env['CONVERSATION_DAYS'] = '30';
  const answer = await room.send('GET', `?limit=4&cursor=${encodeURIComponent(json.next)}`);
  expect([answer.status, answer.json.data, answer.json.next]).toEqual([200, [], null]);
});

it('a customer whose open conversation is over gets another one, older or new', async () => {
  const room = await open();
  const on = { channelId: 'ch_2', customerId: 'cus_1' };
  expect(await new Conversations(testTable(), room).findOpen(on)).toBeUndefined();
  const opened = await room.send('POST', '', on);
  expect([200, 201]).toContain(opened.status);
  expect(over).not.toContain(opened.json.id);
  expect(await new Conversations(testTable(), room).findOpen(on)).toMatchObject({ id: opened.json.id });
});

it('a run removes them with messages, files of the customer and notifications, and nothing else', async () => {
  const room = await open();
  await room.send('POST', '/conv_edge/read', { messageId: 'msg_edge' });
  process.env['CONVERSATION_DAYS'] = '';
  expect(await room.send('POST', '/conv_over/read', { messageId: 'msg_over_2' })).toMatchObject({ status: 200 });
  process.env['CONVERSATION_DAYS'] = '30';
  await testTable().put({ ...messagingKeys.uploadedFile(room.workspaceId, 'conv_over', ofOther) });
  const before = await allItems();
  await run();
  expect(await itemsNaming(room, [...over, ...messagesOver, 'not_over'])).toEqual([]);
  const names = [...over, ...messagesOver, 'not_over', ofCustomer, ofOther];
  const left = new Set((await allItems()).map(({ pk, sk }) => `${pk} ${sk}`));
  const removed = before.filter(({ pk, sk }) => pk.includes(room.workspaceId) && !left.has(`${pk} ${sk}`));
  expect(removed.filter((item) => !names.some((id) => JSON.stringify(item).includes(id)))).toEqual([]);
  const objects = (await dueItems('upload')).filter(({ workspaceId }) => workspaceId === room.workspaceId);
  expect(objects.map(({ record }) => JSON.parse(String(record)).id).sort()).toEqual([ofCustomer, ofOther]);
  expect((await dueItems('conversation')).filter(({ workspaceId }) => workspaceId === room.workspaceId)).toEqual([]);
  expect(await listed(room)).toEqual(kept);
  expect(idsOf((await room.send('GET', '/conv_long/messages')).json.data)).toEqual(['msg_long_1', 'msg_long_2']);
});

const rowOf = async ({ workspaceId }: Room, id: string): Promise<Item> => {
  const rows = await Array.fromAsync(testTable().query({ pk: messagingKeys.conversationRows(workspaceId) }));
  return rows.find(({ sk }) => sk.endsWith(`#${id}`)) as Item;
};

it('a conversation that gets a message before its removal stays', async () => {
  const room = await open();
  const row = await rowOf(room, 'conv_over');
  process.env['CONVERSATION_DAYS'] = '';
  expect(await room.send('POST', '/conv_over/messages', { text: 'Here again.', senderType: 'member' })).toMatchObject({
    status: 201,
  });
  process.env['CONVERSATION_DAYS'] = '30';
  expect(await removeConversation(testTable(), room, row, start - 1)).toBe(false);
  await run();
  expect(await listed(room)).toEqual([...kept, 'conv_over'].sort());
  expect((await room.send('GET', '/conv_over/messages')).json.data).toHaveLength(3);
});

it('a removal that is cut off after its first step is finished, even without the setting', async () => {
  const room = await open();
  expect(await removeConversation(testTable(), room, await rowOf(room, 'conv_over'), start - 1)).toBe(true);
  process.env['CONVERSATION_DAYS'] = '';
  expect(await listed(room)).not.toContain('conv_over');
  expect(await room.send('GET', '/conv_over')).toMatchObject({ status: 404 });
  await Promise.all([run(), run()]);
  expect(await itemsNaming(room, ['conv_over', 'msg_over'])).toEqual([
    expect.stringContaining('#notification not_over'),
    expect.stringContaining('#notification#slug handOver#conv_over#not_over'),
  ]);
});

it('an import that brings it back is not undone by the rest of its removal, but by the next one', async () => {
  const room = await open();
  expect(await removeConversation(testTable(), room, await rowOf(room, 'conv_over'), start - 1)).toBe(true);
  process.env['CONVERSATION_DAYS'] = '';
  expect((await load(room.document)).failures).toEqual([]);
  await run();
  expect((await room.send('GET', '/conv_over/messages')).json.data).toHaveLength(2);
  process.env['CONVERSATION_DAYS'] = '30';
  expect(await room.send('GET', '/conv_over')).toMatchObject({ status: 404 });
  await run();
  expect(await itemsNaming(room, ['conv_over', 'msg_over'])).toEqual([]);
});

it('a channel that only such conversations name can be removed', async () => {
  const room = await openWorkspace('records', ({ messaging }) => {
    messaging.conversations = [conversation('conv_1', past, { channelId: 'ch_1', customerId: 'cus_1' })];
  });
  process.env['CONVERSATION_DAYS'] = '31';
  expect(await room.manage('DELETE channels/ch_1')).toMatchObject({ status: 409 });
  process.env['CONVERSATION_DAYS'] = '30';
  expect(await room.manage('DELETE channels/ch_1')).toMatchObject({ status: 204 });
});
