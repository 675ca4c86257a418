import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { conversations, eventsOf, streamPath, type Visitor, website } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const model = await startOpenAiServer();
process.env['OPENAI_BASE_URL'] = model.url;
afterAll(() => model.close());
beforeEach(() => model.answer({ say: ['We are ', 'open.'] }));

const room = await openWorkspace('visitors');
const ask = ({ token, conversationId, agentId, customerId }: Visitor, body: object = {}) =>
  call(streamPath, { key: token, body: { agentId, conversationId, senderId: customerId, ...body } });

async function asked() {
  const visitor = await room.visit();
  const { token: key, conversationId } = visitor;
  const body = { senderType: 'customer', text: 'Are you open?' };
  const { json } = await call(`POST ${conversations}/${conversationId}/messages`, { key, body });
  return { visitor, messageId: json.id };
}

describe('a visitor', () => {
  it("gets the reply of the channel's agent, and finds it among the messages", async () => {
    const { visitor, messageId } = await asked();
    const own = { channelId: 'ch_web', customerId: visitor.customerId, channelIdentifier: `www.${website}` };
    const { status, text } = await ask(visitor, { ...own, lastMessageId: messageId });
    expect([status, eventsOf(text).at(-1)]).toMatchObject([200, { type: 'done', text: 'We are open.' }]);
    const page = await call(`GET ${conversations}/${visitor.conversationId}/messages`, { key: visitor.token });
    expect(page.json.data).toMatchObject([
      { id: messageId },
      { senderType: 'agent', senderId: 'agent_1', text: 'We are open.', inReplyTo: messageId },
    ]);
    expect(page.text).not.toContain('openai/test');
  });

  it.each([
    ['agent', { agentId: 'agent_2' }],
    ['absent agent', { agentId: 'agent_9' }],
    ['channel', { channelId: 'ch_1' }],
    ['website', { channelIdentifier: 'saffron.example' }],
    ['sender', { senderId: 'cus_1' }],
    ['member', { senderId: 'mem_1' }],
    ['customer', { customerId: 'cus_1' }],
    ['person', { customer: { externalId: 'crm-1' } }],
  ])('gets 403 when the body names another %s', async (_, body) => {
    const { visitor } = await asked();
    expect(await ask(visitor, body)).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
  });

  it("gets 404 for any conversation but the token's, whatever else is wrong", async () => {
    const { visitor } = await asked();
    const { visitor: other } = await asked();
    for (const conversationId of [other.conversationId, 'conv_1', 'conv_9']) {
      const { status, json } = await ask(visitor, { conversationId, agentId: 'agent_2' });
      expect([status, json]).toEqual([404, { message: 'Conversation not found.', code: 'not_found' }]);
    }
  });

  it('gets the same answer for a message of another conversation as for a missing one', async () => {
    const { visitor } = await asked();
    const { text } = await ask(visitor, { lastMessageId: 'msg_1' });
    expect(eventsOf(text)).toEqual([{ type: 'error', error: 'Message not found.' }]);
  });

  it('gets 403 on a channel without an agent', async () => {
    const { json: visitor } = await room.session({ channelIdentifier: 'quiet.example.com' });
    expect((await ask(visitor, { agentId: 'agent_1' })).status).toBe(403);
  });

  it('gets the error event of a hand-over to the team', async () => {
    const { visitor } = await asked();
    const assignee = { type: 'member', id: 'mem_1' };
    await room.send('PATCH', `/${visitor.conversationId}`, { assignee });
    const { text } = await ask(visitor);
    expect(eventsOf(text)).toEqual([{ type: 'error', error: 'This conversation is handled by a member of the team.' }]);
  });
});
