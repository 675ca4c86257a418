import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { exportedFromScan, storedRecords } from '#test/support/document-text.ts';
import { fc } from '#test/support/fast-check.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { eventsOf, streamPath } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const model = await startOpenAiServer();
process.env['OPENAI_BASE_URL'] = model.url;
afterAll(() => model.close());
beforeEach(() => model.answer({ say: ['Hello.'] }));

await openOwnTable();
const room = await openWorkspace('chat', ({ messaging }) => {
  messaging.conversations.push({ id: 'conv_silent', channelId: 'ch_1' });
  messaging.messages.push({
    id: 'msg_own',
    conversationId: 'conv_silent',
    senderType: 'agent',
    senderId: 'agent_1',
    text: 'Hi',
  });
});
const { key, workspaceId } = room;
const good = { agentId: 'agent_1', conversationId: 'conv_1', lastMessageId: 'msg_3' };
const send = (body: unknown, options: object = {}) => call(streamPath, { key, body, ...options });

describe('an error that depends only on key and request is a status:', () => {
  it.each([
    ['no key', {}, 401, 'missing_api_key'],
    ['an unknown key', { authorization: `Bearer ${'x'.repeat(30)}` }, 401, 'invalid_api_key'],
    ['a key without the permission', { 'x-api-key': `none-${workspaceId}` }, 403, 'permission_denied'],
    ['a key without a member', { 'x-api-key': `alone-${workspaceId}` }, 403, 'member_required'],
    ['a member without the permission', { 'x-api-key': `weak-${workspaceId}` }, 403, 'permission_denied'],
  ])('a request with %s', async (_, headers, status, code) => {
    const answer = await call(streamPath, { headers, body: good });
    expect(answer.status).toBe(status);
    expect(answer.json.code).toBe(code);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['x-request-id']).toBeTruthy();
  });

  it('a key only in the query string is a status, not an event', async () => {
    expect((await call(`${streamPath}?apiKey=${key}`, { body: good })).status).toBe(401);
  });

  it('405 for another method, 404 for another path', async () => {
    const answer = await call('GET /api/v1/connect/ai-stream', { key });
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe('POST');
    expect((await call('POST /api/v1/connect/ai-stream/', { key, body: good })).status).toBe(404);
  });

  it('415 for another media type, 413 for a body over 64 KB', async () => {
    expect((await send(good, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await send(good, { headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
    const text = JSON.stringify(good);
    const fitting = await send(text + ' '.repeat(65_536 - text.length));
    expect(fitting.status).toBe(200);
    const tooLarge = await send(text + ' '.repeat(65_537 - text.length));
    expect(tooLarge.status).toBe(413);
    expect(tooLarge.json.code).toBe('body_too_large');
  });

  it.each([
    ['no JSON', '{', 'invalid_body', ['']],
    ['no JSON object', [], 'invalid_body', ['']],
    ['none of the required members', {}, 'invalid_body', ['agentId', 'conversationId', 'senderId']],
    ['blank ids', { ...good, agentId: ' ', conversationId: '' }, 'invalid_body', ['agentId', 'conversationId']],
    ['ids that are not strings', { ...good, agentId: 1, channelId: {} }, 'invalid_body', ['agentId', 'channelId']],
    [
      'neither message nor sender',
      { agentId: 'a', conversationId: 'c', lastMessageId: null },
      'invalid_body',
      ['senderId'],
    ],
    ['an unknown member', { ...good, stream: true }, 'invalid_body', ['stream']],
    ['a malformed host', { ...good, channelIdentifier: 'not a host' }, 'validation_failed', ['channelIdentifier']],
    ['an empty host', { ...good, channelIdentifier: '' }, 'validation_failed', ['channelIdentifier']],
    ['a host of one label', { ...good, channelIdentifier: 'intranet' }, 'validation_failed', ['channelIdentifier']],
    [
      'one behind several www',
      { ...good, channelIdentifier: 'www.www.com' },
      'validation_failed',
      ['channelIdentifier'],
    ],
    ['a customer that is not an object', { ...good, customer: 'Huda' }, 'invalid_body', ['customer']],
    [
      'a customer with unknown members',
      { ...good, customer: { email: 1, vip: true } },
      'validation_failed',
      ['customer.email', 'customer.vip'],
    ],
    [
      'names of the prototype chain',
      '{"agentId":"a","conversationId":"c","senderId":"s","__proto__":{}}',
      'invalid_body',
      ['__proto__'],
    ],
    ['half a surrogate pair', { ...good, senderId: '\ud800' }, 'validation_failed', ['senderId']],
    [
      'several kinds of errors',
      { conversationId: 'c', senderId: 's', channelIdentifier: '!' },
      'invalid_body',
      ['agentId', 'channelIdentifier'],
    ],
  ])('%s', async (_, body, code, paths) => {
    const { status, json } = await send(body);
    expect(status).toBe(400);
    expect(json.code).toBe(code);
    expect(json.errors.map(({ path }: { path: string }) => path).sort()).toEqual([...paths].sort());
  });
});

describe("an error that depends on the workspace's data is one event:", () => {
  const conversation = 'Conversation not found.';
  const agent = 'Agent not found.';
  const message = 'Message not found.';
  const customer = 'Customer not found.';
  const channel = 'No channel for this conversation.';
  const sender = 'No sender for this reply.';
  const bare = { conversationId: 'conv_bare', lastMessageId: 'msg_bare' };

  it.each([
    [conversation, { conversationId: 'nowhere' }],
    [conversation, { conversationId: 'no#where', agentId: 'nobody', lastMessageId: 'nothing' }],
    [agent, { agentId: 'nobody' }],
    [agent, { agentId: 'agent_off' }],
    [conversation, { agentId: 'nobody', lastMessageId: 'nothing', customerId: 'nobody' }],
    [conversation, { customerId: 'x y', channelId: 'nothing' }],
    [agent, { conversationId: 'conv_bare', agentId: '../x', lastMessageId: 'nothing', customerId: 'nobody' }],
    [message, { lastMessageId: 'nothing' }],
    [message, { lastMessageId: 'msg_bare' }],
    [message, { conversationId: 'conv_empty', lastMessageId: null, senderId: 'cus_1' }],
    [message, { conversationId: 'conv_silent', lastMessageId: null, senderId: 'cus_1' }],
    [message, { ...bare, lastMessageId: 'nothing', customerId: 'nobody', channelId: 'nothing' }],
    [customer, { ...bare, customerId: 'x y', channelId: 'nothing' }],
    [customer, { ...bare, customerId: 'nobody' }],
    [channel, { channelId: 'nothing' }],
    [channel, { channelId: 'nothing', channelIdentifier: 'saffron.example' }],
    [channel, bare],
    [channel, { ...bare, senderId: 'cus_1' }],
    [sender, { ...bare, channelId: 'ch_1' }],
    [sender, { ...bare, channelIdentifier: 'new.example', customer: { email: 'new@example.com' } }],
  ])('%s %j', async (sentence, body) => {
    const { exportedAt, ...before } = await exportedFromScan(workspaceId);
    const answer = await send({ ...good, ...body });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(answer.text).toBe(`data: ${JSON.stringify({ type: 'error', error: sentence })}\n\n`);
    expect(await exportedFromScan(workspaceId)).toMatchObject(before);
    expect(model.calls).toHaveLength(0);
  });

  it.each([
    ['the channel of the request', { ...bare, channelId: 'ch_2', senderId: 'x' }, 'ch_2'],
    ['the channel of the message', { conversationId: 'conv_bare', lastMessageId: 'msg_here' }, 'ch_2'],
    ['the channel of the conversation', good, 'ch_1'],
  ])('%s is a sufficient channel', async (_, body, channelId) => {
    const fresh = await openWorkspace('chat', ({ messaging }) => {
      const here = { id: 'msg_here', conversationId: 'conv_bare', senderType: 'customer', senderId: 'cus_1' };
      messaging.messages.push({ ...here, text: 'Hi', channelId: 'ch_2' });
    });
    const { end } = await fresh.ask(body);
    const messages = await storedRecords(fresh.workspaceId, 'message');
    expect(messages.find(({ id }: { id: string }) => id === end.messageId)).toMatchObject({ channelId });
  });

  it("replies on behalf of the request's sender", async () => {
    const answer = await send({ ...good, agentId: 'agent_2', senderId: ' visitor 77 ' });
    const { messageId } = eventsOf(answer.text).at(-1);
    const messages = await storedRecords(workspaceId, 'message');
    expect(messages.find(({ id }: { id: string }) => id === messageId)).toMatchObject({ onBehalfOf: 'visitor 77' });
  });
});

it('every request gets an answer of the contract', async () => {
  const anything = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
  const ids = fc.oneof(
    fc.constantFrom('agent_1', 'conv_1', 'msg_3', 'ch_1', 'cus_1', '', '..', 'a#b', 'x'.repeat(3_000), null),
    anything,
  );
  const members = ['agentId', 'conversationId', 'lastMessageId', 'senderId', 'channelId', 'customerId'];
  const valuesByName = Object.fromEntries(members.map((name) => [name, ids]));
  const customer = fc.record({ externalId: ids, name: ids, email: ids, phone: ids }, { requiredKeys: [] });
  const bodies = fc.oneof(
    anything,
    fc.record(
      { ...valuesByName, customer: fc.oneof(customer, anything), channelIdentifier: ids },
      { requiredKeys: [] },
    ),
  );
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const { status, text, json } = await send(JSON.stringify(body));
      if (status === 200)
        expect(eventsOf(text).at(-1)).toMatchObject({ type: expect.stringMatching(/^done$|^error$/) });
      else {
        expect(status).toBe(400);
        expect(['invalid_body', 'validation_failed']).toContain(json.code);
        expect(json.errors.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: isLongRun ? 300 : 60 },
  );
});
