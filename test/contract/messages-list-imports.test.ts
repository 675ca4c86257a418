import { afterEach, expect, it } from '@jest/globals';
import { KillableTable } from '#test/support/killable-table.ts';
import { message } from '#test/support/presets/chat.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { TaggedBytes } from '#test/support/views.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, importFile } from '#test/support/world.ts';

const room = await openWorkspace('talk');
// The functions are imported from here on, so that their table is behind the proxy.
const proxy = await startTableProxy();
afterEach(() => proxy.heal());

const { version, workspace } = room.document;
const messagesOf = (...messages: readonly object[]) => ({ version, workspace, messaging: { messages } });
const importMessages = (...messages: readonly object[]) =>
  importFile(messagesOf(...messages)).then(({ failures }) => expect(failures).toEqual([]));

it.each([
  ['changes a message', message('msg_1', 1, { text: 'Later text.' })],
  ['adds a message before others', message('msg_0', 0, { text: 'An earlier message.' })],
  ['moves a message away', message('msg_1', 1, { conversationId: 'conv_empty' })],
  ['moves a message back', message('msg_1', 1, { text: 'It is back.' })],
])('a page that is read while an import %s has a tag of its own', async (_, changed) => {
  const request = 'GET /api/v1/connect/conversations/conv_1/messages';
  const tags = new TaggedBytes();
  const read = async (headers = {}) => {
    const answer = await room.send('GET', '/conv_1/messages', undefined, headers);
    tags.check(request, answer);
    return answer;
  };
  // From here on, each read makes the same calls.
  await read();
  let state = {};
  proxy.plan('BatchGetItem', { kind: 'rewritten', by: (reply) => (state = reply) }, 1, 'conv_1');
  const before = await read();
  await importMessages(changed);
  // The page is read now, the state of the conversation was read before the import.
  proxy.plan('BatchGetItem', { kind: 'rewritten', by: () => state }, 1, 'conv_1');
  const between = await read();
  expect(between.status).toBe(200);
  expect(between.text).not.toBe(before.text);
  expect(between.headers['etag']).not.toBe(before.headers['etag']);
  const tag = { 'if-none-match': between.headers['etag'] ?? '' };
  const after = await read(tag);
  expect([after.status, after.text]).toEqual([200, between.text]);
  expect((await read({ 'if-none-match': after.headers['etag'] ?? '' })).status).toBe(304);
});

it('conversations stay in the order of the newest message that each shows, before every write of an import', async () => {
  const shown = new Set<string>();
  const expectOrder = async () => {
    const { data } = (await room.send('GET', '?limit=100')).json;
    const times: string[] = data.map(({ lastMessageAt, createdAt }: Document) => lastMessageAt ?? createdAt);
    expect(times).toEqual(times.toSorted().reverse());
    shown.add(times.join());
  };
  const { table } = new KillableTable(undefined, expectOrder);
  const added = [2, 4, 6, 8].map((number) =>
    message(`added_${number}`, 40 + number, { conversationId: number % 4 ? 'conv_empty' : 'conv_1' }),
  );
  const gone = message('msg_2', 2, { conversationId: 'conv_bare' });
  const { failures } = await importFile(messagesOf(...added, gone), {}, table);
  expect(failures).toEqual([]);
  await expectOrder();
  expect(shown.size).toBeGreaterThan(1);
});

it('several messages of an import name the same file, and one names it twice', async () => {
  const other = await openWorkspace('talk');
  const s3Key = `workspaces/${other.workspaceId}/drive/messaging/2026-01/att_menu/menu.pdf`;
  const file = { id: 'att_menu', name: 'menu.pdf', s3Key, type: 'application/pdf', size: 1 };
  const messages = [1, 2, 3].map((number) => message(`menu_${number}`, 50 + number, { attachments: ['att_menu'] }));
  messages.push(message('menu_4', 60, { attachments: ['att_menu', 'att_menu'] }));
  const document = { version, workspace: other.document['workspace'], attachments: [file], messaging: { messages } };
  expect((await importFile(document)).failures).toEqual([]);
  const { data } = (await other.send('GET', '/conv_1/messages')).json;
  const named = data
    .filter(({ id }: Document) => id.startsWith('menu_'))
    .map(({ attachments }: Document) => attachments);
  expect(named.map(([{ id }]: Document[]) => id)).toEqual(['att_menu', 'att_menu', 'att_menu', 'att_menu']);
});
