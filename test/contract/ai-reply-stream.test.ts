import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { exported, storedRecords } from '#test/support/document-text.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { type Event, message, streamPath } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const model = await startOpenAiServer();
process.env['OPENAI_BASE_URL'] = model.url;
afterAll(() => model.close());
beforeEach(() => model.answer({ say: ['The kabsa ', 'is 48 SAR.'] }));

const deltasOf = (events: readonly Event[]): Event[] => events.filter(({ type }) => type === 'delta');
const messagesOf = (workspaceId: string) => storedRecords(workspaceId, 'message');

describe('a reply', () => {
  it('is streamed as deltas and done, and stored', async () => {
    const room = await openWorkspace('chat');
    model.answer({ say: [...'The kabsa is 48 SAR.'], pause: 20 });
    const before = new Date().toISOString();
    const { status, headers, text, events, end } = await room.ask();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    });
    expect(text).toMatch(/^(?:data: \{.*\}\n\n)+$/);
    const deltas = deltasOf(events);
    expect(deltas.length).toBeGreaterThan(2);
    for (const [index, event] of deltas.entries()) {
      expect(event).toEqual({ type: 'delta', delta: expect.any(String), text: expect.any(String) });
      expect(event.text).toBe((deltas[index - 1]?.text ?? '') + event.delta);
    }
    expect(end).toEqual({ type: 'done', messageId: expect.any(String), text: 'The kabsa is 48 SAR.' });
    expect(deltas.at(-1).text).toBe(end.text);
    expect(events.filter(({ type }) => type !== 'delta')).toHaveLength(1);

    const stored = (await messagesOf(room.workspaceId)).find(({ id }: Event) => id === end.messageId);
    expect(stored).toEqual({
      id: end.messageId,
      conversationId: 'conv_1',
      senderType: 'agent',
      senderId: 'agent_1',
      channelId: 'ch_1',
      text: end.text,
      attachments: [],
      createdAt: expect.any(String),
      inReplyTo: 'msg_3',
      onBehalfOf: 'cus_1',
      model: 'openai/test',
      citations: [],
    });
    expect(stored.createdAt >= before).toBe(true);
  });

  it('is repeated in one delta and done, without another call of the model', async () => {
    const room = await openWorkspace('chat');
    const first = await room.ask();
    const again = await room.ask();
    expect(again.events).toEqual([
      { type: 'delta', delta: first.end.text, text: first.end.text },
      { type: 'done', messageId: first.end.messageId, text: first.end.text },
    ]);
    const newest = await room.ask({ lastMessageId: null, senderId: 'cus_1' });
    expect(newest.end).toEqual(first.end);
    expect(model.calls).toHaveLength(1);
    expect(await messagesOf(room.workspaceId)).toHaveLength(5);
  });

  it('differs for another agent, and for another message', async () => {
    const room = await openWorkspace('chat');
    const ends = [await room.ask(), await room.ask({ agentId: 'agent_2' }), await room.ask({ lastMessageId: 'msg_1' })];
    expect(new Set(ends.map(({ end }) => end.messageId)).size).toBe(3);
    expect(model.calls).toHaveLength(3);
  });

  it('is generated one time for twenty parallel calls', async () => {
    const room = await openWorkspace('chat');
    model.answer({ say: ['One ', 'reply.'], pause: 100 });
    const replies = await Promise.all(Array.from({ length: 20 }, () => room.ask()));
    expect(new Set(replies.map(({ end }) => JSON.stringify(end)))).toEqual(
      new Set([JSON.stringify({ type: 'done', messageId: replies[0]?.end.messageId, text: 'One reply.' })]),
    );
    for (const { events } of replies) expect(deltasOf(events).at(-1).text).toBe('One reply.');
    expect(model.calls).toHaveLength(1);
    expect(await messagesOf(room.workspaceId)).toHaveLength(5);
  });

  it('is stored one time, also after export and import', async () => {
    const room = await openWorkspace('chat');
    const { end } = await room.ask();
    const document = await exported(room.workspaceId);
    expect((await load(document)).changed).toBe(0);
    const other = await openWorkspace('chat', (fresh) => {
      fresh.messaging.messages = document.messaging.messages;
    });
    expect((await other.ask()).end).toEqual(end);
    expect(model.calls).toHaveLength(1);
  });

  it('is found among many later messages', async () => {
    const later = Array.from({ length: 60 }, (_, index) => message(`later_${index}`, index + 10));
    const room = await openWorkspace('chat', ({ messaging }) => {
      messaging.messages.push(
        ...later,
        message('old', 5, { senderType: 'agent', senderId: 'agent_1', inReplyTo: 'msg_1', text: 'Old.' }),
      );
    });
    expect((await room.ask({ lastMessageId: 'msg_1' })).end).toEqual({ type: 'done', messageId: 'old', text: 'Old.' });
    expect(model.calls).toHaveLength(0);
  });

  it('is generated a second time after an import has deleted it', async () => {
    const room = await openWorkspace('chat');
    const { end } = await room.ask();
    await load(room.document, { prune: true });
    const again = await room.ask();
    expect(again.end).toMatchObject({ type: 'done', text: end.text });
    expect(await messagesOf(room.workspaceId)).toHaveLength(5);
  });

  it('escapes line separators that some readers split at, and never splits a surrogate pair', async () => {
    const room = await openWorkspace('chat');
    model.answer({
      say: ['a\u0085b\u2028c\u2029d ', '😀'.slice(0, 1), '😀'.slice(1), '! ', 'مرحبًا'],
      pause: 50,
    });
    const { text, events, end } = await room.ask();
    expect(end.text).toBe('a\u0085b\u2028c\u2029d 😀! مرحبًا');
    expect(text).not.toMatch(/[\u0085\u2028\u2029]/);
    for (const event of events) expect(event.text.isWellFormed()).toBe(true);
  });

  it('starts without white space', async () => {
    const room = await openWorkspace('chat');
    model.answer({ say: ['\n\n', '  Hello ', 'there'] });
    const { events, end } = await room.ask();
    expect(end.text).toBe('Hello there');
    expect(events[0].text.startsWith('Hello')).toBe(true);
  });
});

describe('the prompt contains', () => {
  const toldTo = () => model.calls[0]?.body.messages as { readonly role: string; readonly content: string }[];

  it('the conversation up to the message, and no other conversation', async () => {
    const room = await openWorkspace('chat');
    await room.ask({ lastMessageId: 'msg_2', senderId: 'mem_1' });
    const [system, ...turns] = toldTo();
    expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('Be brief.') });
    expect(turns.at(-1)).toMatchObject({ role: 'user', content: expect.stringContaining('This is msg_2.') });
    expect(JSON.stringify(turns)).toContain('This is msg_1.');
    expect(JSON.stringify(turns)).not.toContain('msg_3');
    expect(JSON.stringify(turns)).not.toContain('msg_bare');
  });

  it('the prompt contains at most the twenty newest messages, and 24,000 characters', async () => {
    const room = await openWorkspace('chat', ({ messaging }) => {
      for (let index = 0; index < 40; index++) messaging.messages.push(message(`more_${index}`, index + 10));
      messaging.messages.push(message('long', 100, { text: 'x'.repeat(20_000) }));
    });
    await room.ask({ lastMessageId: 'more_39' });
    const text = JSON.stringify(toldTo());
    expect(text).toContain('This is more_20.');
    expect(text).not.toContain('This is more_19.');
    model.answer({ say: ['Yes.'] });
    await room.ask({ lastMessageId: 'long' });
    expect(JSON.stringify(toldTo()).length).toBeLessThan(30_000);
  });

  it.each([
    ['the conversation', { language: 'ar' }, 'Hello', 'ar'],
    ['the message', {}, 'كم سعر الكبسة؟', 'ar'],
    ['the message', {}, 'How much is it?', 'en'],
    ['the agent', {}, '123?', 'ar'],
  ])('the language of %s', async (_, conversation, text, language) => {
    const room = await openWorkspace('chat', ({ messaging }) => {
      Object.assign(messaging.conversations[0], conversation);
      messaging.messages.push(message('asked', 50, { text }));
      messaging.agents[0].language = 'ar';
    });
    await room.ask({ lastMessageId: 'asked' });
    expect(toldTo()[0]?.content).toContain(`language ${language}.`);
  });

  it.each([
    [undefined, 1_024],
    [50, 50],
    [4_096, 4_096],
  ])('the token limit of an agent with maxTokens %s', async (maxTokens, limit) => {
    const room = await openWorkspace('chat', ({ messaging }) => {
      messaging.agents[0].maxTokens = maxTokens;
    });
    await room.ask();
    expect(model.calls[0]?.body.max_tokens).toBe(limit);
  });
});

describe('a workspace', () => {
  it('stores separate replies under the same ids', async () => {
    const room = await openWorkspace('chat');
    const otherRoom = await openWorkspace('chat');
    const first = await room.ask();
    model.answer({ say: ['Another.'] });
    const second = await otherRoom.ask();
    expect(second.end.text).toBe('Another.');
    expect((await room.ask()).end).toEqual(first.end);
    expect(await messagesOf(otherRoom.workspaceId)).toHaveLength(5);
  });

  it('the workspace of a key is its current one, not the one of its last use', async () => {
    const before = await openWorkspace('chat');
    const now = await openWorkspace('chat');
    const first = await before.ask();
    const { apiKeys } = before.document;
    await load({ ...before.document, apiKeys: apiKeys.slice(1) }, { prune: true });
    const moved = { ...apiKeys[0], id: 'key_moved' };
    await load({ ...now.document, apiKeys: [...now.document.apiKeys, moved] });
    model.answer({ say: ['Another.'] });
    const { end } = await before.ask();
    expect(end).toMatchObject({ type: 'done', text: 'Another.' });
    expect((await messagesOf(now.workspaceId)).map(({ id }: Event) => id)).toContain(end.messageId);
    expect((await messagesOf(before.workspaceId)).map(({ id }: Event) => id)).not.toContain(end.messageId);
    expect(end.messageId).not.toBe(first.end.messageId);
  });

  it('does not show its conversations to the key of another', async () => {
    const room = await openWorkspace('chat', ({ messaging }) => {
      messaging.conversations.push({ id: 'conv_only_here', channelId: 'ch_1' });
    });
    const other = await openWorkspace('chat');
    const body = { agentId: 'agent_1', conversationId: 'conv_only_here', senderId: 'x' };
    const foreign = await call(streamPath, { key: other.key, body });
    const unknown = await call(streamPath, { key: other.key, body: { ...body, conversationId: 'nowhere' } });
    expect(foreign.text).toBe('data: {"type":"error","error":"Conversation not found."}\n\n');
    expect(foreign.text).toBe(unknown.text);
    expect((await room.ask({ conversationId: 'conv_only_here', lastMessageId: null, senderId: 'x' })).end.error).toBe(
      'Message not found.',
    );
  });
});
