import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { storedRecords } from '#test/support/document-text.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { eventsOf, streamPath } from '#test/support/presets/chat.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const model = await startOpenAiServer();
process.env['OPENAI_BASE_URL'] = model.url;
afterAll(() => model.close());
beforeEach(() => model.answer({ say: ['Hello.'] }));

const host = 'removed.example';
let admin = '';
const room = await openWorkspace('chat', ({ workspace, apiKeys, messaging }) => {
  admin = `remover-of-${workspace.id}`;
  apiKeys.push({
    id: 'key_remover',
    name: 'Remover',
    secret: admin,
    permissions: [
      'messaging:channel:manage',
      'messaging:channel:read',
      'messaging:customer:manage',
      'messaging:customer:read',
    ],
  });
  messaging.channels.push({ id: 'ch_removed', type: 'website', identifier: host });
  messaging.customers.push({ id: 'cus_removed', name: 'Removed' });
  messaging.conversations.push({ id: 'conv_other' });
  messaging.messages.push({ id: 'msg_other', conversationId: 'conv_other', senderType: 'customer', text: 'Hi' });
});
// The functions are imported from here on, so that their table is behind the proxy.
const proxy = await startTableProxy();
afterEach(() => proxy.heal());

/** Sends a request; the record is removed after its read, before the transaction. */
async function sendWhileRemoving(kind: 'channels' | 'customers', id: string, body: object) {
  let removed: number | undefined;
  const meanwhile = async () => {
    if (removed === undefined) removed = (await call(`DELETE /api/v1/manage/${kind}/${id}`, { key: admin })).status;
  };
  proxy.plan('BatchGetItem', { kind: 'late', meanwhile }, 1, id);
  proxy.plan('GetItem', { kind: 'late', meanwhile }, 1, id);
  const answer = await call(streamPath, { key: room.key, body: { agentId: 'agent_1', senderId: 'x', ...body } });
  expect(removed).toBe(204);
  return answer;
}

it('a website whose channel is removed meanwhile gets a new one', async () => {
  const conversation = { conversationId: 'conv_bare', lastMessageId: 'msg_bare' };
  const answer = await sendWhileRemoving('channels', 'ch_removed', { ...conversation, channelIdentifier: host });
  expect([answer.status, eventsOf(answer.text).at(-1)]).toEqual([200, expect.objectContaining({ type: 'done' })]);
  const channels = await storedRecords(room.workspaceId, 'channel');
  const [made] = channels.filter(({ identifier }) => identifier === host);
  expect(made.id).not.toBe('ch_removed');
  const stored = await storedRecords(room.workspaceId, 'conversation');
  expect(stored.find(({ id }) => id === 'conv_bare').channelId).toBe(made.id);
});

it('a customer that is removed meanwhile is not found', async () => {
  const conversation = { conversationId: 'conv_other', lastMessageId: 'msg_other' };
  const body = { ...conversation, channelIdentifier: host, customerId: 'cus_removed' };
  const answer = await sendWhileRemoving('customers', 'cus_removed', body);
  expect(eventsOf(answer.text)).toEqual([{ type: 'error', error: 'Customer not found.' }]);
});

it('a reply under way ends with the right event when its person is erased', async () => {
  const erased = Promise.withResolvers<void>();
  model.answer({ say: ['One ', 'two ', 'three.'], until: erased.promise });
  const before = model.calls.length;
  const asking = room.ask();
  while (model.calls.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await call('DELETE /api/v1/manage/customers/cus_1?erase=true', { key: admin })).status).toBe(202);
  erased.resolve();
  expect((await asking).events.at(-1)).toEqual({ type: 'error', error: 'Conversation not found.' });
  expect((await storedRecords(room.workspaceId, 'conversation')).map(({ id }) => id)).not.toContain('conv_1');
});
