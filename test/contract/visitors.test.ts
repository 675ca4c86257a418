import { describe, expect, it } from '@jest/globals';
import { hashOfSecret } from '#lib/table/access/api-keys.ts';
import { keys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { exportedFromScan } from '#test/support/document-text.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { conversations, type Visitor, website } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

await openOwnTable();
const room = await openWorkspace('visitors');
const say = ({ token, conversationId }: Visitor, body: object, headers = {}) =>
  call(`POST ${conversations}/${conversationId}/messages`, { key: token, body, headers });
const list = ({ token, conversationId }: Visitor, query = '', headers = {}) =>
  call(`GET ${conversations}/${conversationId}/messages${query}`, { key: token, headers });
const hello = { senderType: 'customer', text: 'Hello.' };

describe('a visitor', () => {
  it('writes as the customer, and sees only the members of a message for visitors', async () => {
    const visitor = await room.visit();
    const { conversationId, customerId } = visitor;
    const sent = await say(visitor, { ...hello, senderId: customerId });
    const shown = {
      id: expect.any(String),
      conversationId,
      senderType: 'customer',
      senderId: customerId,
      text: 'Hello.',
      attachments: [],
      createdAt: expect.any(String),
    };
    expect([sent.status, sent.json]).toEqual([201, shown]);
    await room.say(conversationId, { senderType: 'member', text: 'Welcome.' });
    const { json } = await list(visitor);
    expect(json).toEqual({
      data: [shown, { ...shown, senderType: 'member', senderId: 'mem_1', text: 'Welcome.' }],
      hasMore: false,
      status: 'open',
      assigneeType: null,
    });
  });

  it('sees what a reply refers to, but neither its model nor its sources', async () => {
    const id = 'conv_replied';
    const own = await openWorkspace('visitors', ({ messaging }) => {
      messaging.conversations.push({ id, channelId: 'ch_web', customerId: 'cus_1' });
      const reply = { inReplyTo: 'msg_q', onBehalfOf: 'cus_1', model: 'openai/test', citations: [{ kind: 'cms' }] };
      const common = { conversationId: id, channelId: 'ch_web', createdAt: '2026-01-02T00:00:00.000Z' };
      messaging.messages.push({
        id: 'msg_a',
        ...common,
        senderType: 'agent',
        senderId: 'agent_1',
        text: 'Yes.',
        ...reply,
      });
    });
    const visitor = await own.visit({ externalId: 'crm-1' });
    expect(visitor.conversationId).toBe(id);
    expect((await list(visitor)).json.data).toEqual([
      {
        id: 'msg_a',
        conversationId: id,
        senderType: 'agent',
        senderId: 'agent_1',
        text: 'Yes.',
        attachments: [],
        createdAt: '2026-01-02T00:00:00.000Z',
        inReplyTo: 'msg_q',
      },
    ]);
  });

  it('repeats a message for an Idempotency-Key, even with a renewed token', async () => {
    const visitor = await room.visit();
    const headers = { 'idempotency-key': 'message-1' };
    const first = await say(visitor, hello, headers);
    const renewed = (await room.session({ renew: visitor.token })).json;
    expect((await say(renewed, hello, headers)).json).toEqual(first.json);
    expect((await list(visitor)).json.data).toHaveLength(1);
    expect((await say(visitor, { ...hello, text: 'Other.' }, headers)).status).toBe(422);
    expect((await say(visitor, { ...hello, senderId: 'cus_1' }, headers)).status).toBe(403);
  });

  it('moves the read mark of the customer, not that of the member', async () => {
    const visitor = await room.visit();
    const { conversationId, token } = visitor;
    const { id: messageId } = (await say(visitor, hello)).json;
    const read = (key: string, id = conversationId) =>
      call(`POST ${conversations}/${id}/read`, { key, body: { messageId } });
    expect((await read(token)).json).toEqual({ messageId });
    const { json } = await room.send('GET', `?customerId=${visitor.customerId}`);
    expect(json.data).toMatchObject([{ id: conversationId, unreadCount: 1 }]);
    expect((await read(token, 'conv_1')).status).toBe(404);
  });

  it.each([
    ['a message of a member', { senderType: 'member', text: 'I am Lina.' }],
    ['the message of another customer', { ...hello, senderId: 'cus_1' }],
    ['the message of an unknown customer', { ...hello, senderId: 'cus_9' }],
  ])('cannot send %s', async (_, body) => {
    expect(await say(await room.visit(), body)).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
  });

  it('finds only its own conversation, whether or not another exists', async () => {
    const visitor = await room.visit();
    const other = await room.visit();
    for (const conversationId of [other.conversationId, 'conv_1', 'conv_9']) {
      const stranger = { ...visitor, conversationId };
      const answers = [await list(stranger), await say(stranger, hello)];
      for (const answer of answers) {
        expect([answer.status, answer.json]).toEqual([404, { message: 'Conversation not found.', code: 'not_found' }]);
      }
    }
  });

  it('polls at the cost of three read units in one call, once the container has read the token', async () => {
    const visitor = await room.visit();
    await say(visitor, hello);
    const { headers } = await list(visitor);
    const again = await list(visitor, '', { 'if-none-match': headers['etag'] ?? '' });
    expect([again.status, again.headers['etag']]).toEqual([304, headers['etag']]);
    const withKey = await room.send('GET', `/${visitor.conversationId}/messages`);
    expect(withKey.headers['etag']).not.toBe(headers['etag']);
  });
});

describe('a token', () => {
  const statusOf = async (visitor: Visitor) => {
    const { status, json } = await list(visitor);
    return [status, json.code];
  };

  it('ends after its hour', async () => {
    const visitor = await room.visit();
    expect((await list(visitor)).status).toBe(200);
    const key = keys.visitorToken(hashOfSecret(visitor.token));
    const stored = await testTable().get(key);
    await testTable().put({ ...stored, expiresAt: new Date(Date.now() - 1).toISOString() } as never);
    expect(await statusOf(visitor)).toEqual([401, 'invalid_api_key']);
  });

  it('is 401 when it is unknown or malformed, or sent together with a key', async () => {
    const visitor = await room.visit();
    for (const token of [`wst_${'0'.repeat(43)}`, 'wst_', `${visitor.token}0`]) {
      expect(await statusOf({ ...visitor, token })).toEqual([401, 'invalid_api_key']);
    }
    const headers = { 'x-api-key': room.key };
    expect((await list(visitor, '', headers)).status).toBe(401);
  });

  it('is accepted as a bearer token only', async () => {
    const { conversationId, token } = await room.visit();
    const address = `${conversations}/${conversationId}/messages`;
    expect((await call(`GET ${address}`, { headers: { 'x-api-key': token } })).json.code).toBe('invalid_api_key');
    expect((await call(`GET ${address}?apiKey=${token}`)).json.code).toBe('missing_api_key');
  });

  it('ends with its key, and is 403 when key or member may no longer engage', async () => {
    const own = await openWorkspace('visitors');
    const visitor = await own.visit();
    const other = (await own.session({ channelIdentifier: website }, { key: own.keys.other })).json;
    const document = await exportedFromScan(own.workspaceId);
    const { exportedAt, ...before } = document;
    const change = async (alter: (document: Awaited<ReturnType<typeof exportedFromScan>>) => void) => {
      const copy = structuredClone(before);
      alter(copy);
      await load(copy);
    };
    const keyOf = (copy: { apiKeys: { id: string }[] }, id: string) =>
      copy.apiKeys.find((key) => key.id === id) as never as Record<string, unknown>;
    const memberOf = (copy: { members: { id: string }[] }, id: string) =>
      copy.members.find((member) => member.id === id) as never as Record<string, unknown>;
    expect((await list(visitor)).status).toBe(200);
    await change((copy) => {
      keyOf(copy, 'key_desk')['permissions'] = ['messaging:conversation:read'];
    });
    expect(await statusOf(visitor)).toEqual([403, 'permission_denied']);
    await change((copy) => {
      memberOf(copy, 'mem_1')['permissions'] = ['messaging:conversation:read'];
    });
    expect(await statusOf(visitor)).toEqual([403, 'permission_denied']);
    await change((copy) => {
      keyOf(copy, 'key_desk')['permissions'] = ['messaging:conversation:engage'];
    });
    expect((await list(visitor)).status).toBe(200);
    await change((copy) => {
      memberOf(copy, 'mem_1')['active'] = false;
    });
    expect(await statusOf(visitor)).toEqual([401, 'invalid_api_key']);
    expect((await list(other)).status).toBe(200);
    await change((copy) => {
      keyOf(copy, 'key_other')['revokedAt'] = '2026-01-01T00:00:00.000Z';
    });
    expect(await statusOf(other)).toEqual([401, 'invalid_api_key']);
  });
});
