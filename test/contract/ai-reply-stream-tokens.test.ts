import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { messagingKeys } from '#lib/table/messaging/keys.ts';
import { startBedrockServer } from '#test/support/bedrock-server.ts';
import { storedRecords } from '#test/support/document-text.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { itLong } from '#test/support/long-run.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { message } from '#test/support/presets/chat.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const usedUp = { type: 'error', error: 'This workspace has used up its AI replies for today.' };
/** The token counts that the servers report. */
const perCall = 18;

const servers = { openai: await startOpenAiServer(), bedrock: await startBedrockServer() };
process.env['OPENAI_BASE_URL'] = servers.openai.url;
process.env['AWS_ENDPOINT_URL_BEDROCK_RUNTIME'] = servers.bedrock.url;
afterAll(() => Promise.all([servers.openai.close(), servers.bedrock.close()]));
const limitTo = (tokens: number | string) => Object.assign(process.env, { AI_TOKENS_PER_DAY: String(tokens) });
afterAll(() => void delete process.env['AI_TOKENS_PER_DAY']);

// A day that ends during a test would begin another count.
freezeDate();
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const keyOf = (room: Workspace<'chat'>, day = dayOf(Date.now())) => messagingKeys.aiTokens(room.workspaceId, day);
const counted = async (room: Workspace<'chat'>) => (await testTable().uncached().get(keyOf(room)))?.['tokens'];
const messagesOf = ({ workspaceId }: Workspace<'chat'>) => storedRecords(workspaceId, 'message');

describe.each(['openai', 'bedrock'] as const)('with a bound of tokens a day, %s', (wire) => {
  const server = servers[wire];
  beforeEach(() => server.answer({ say: ['Hello.'] }));
  /** Of what the service does by itself, whatever the wire. */
  const itOnce = wire === 'openai' ? it : itLong;

  /** A room with twelve messages to answer. */
  const openRoom = (model = `${wire}/test`) =>
    openWorkspace('chat', ({ messaging }) => {
      for (const agent of messaging.agents) agent.model = model;
      for (let number = 1; number <= 12; number++) messaging.messages.push(message(`ask_${number}`, number + 10));
    });

  it('answers until they are used up, and then refuses replies', async () => {
    limitTo(2 * perCall);
    const room = await openRoom();
    const first = await room.ask();
    expect(first.end).toMatchObject({ type: 'done', text: 'Hello.' });
    expect(await counted(room)).toBe(perCall);
    expect((await room.ask({ lastMessageId: 'msg_1' })).end).toMatchObject({ type: 'done' });
    const stored = await messagesOf(room);
    const refused = await room.ask({ lastMessageId: 'ask_1' });
    expect([refused.status, refused.events]).toEqual([200, [usedUp]]);
    expect((await room.ask({ agentId: 'agent_2' })).events).toEqual([usedUp]);
    expect((await room.ask({ conversationId: 'nowhere' })).end.error).toBe('Conversation not found.');
    expect(server.calls).toHaveLength(2);
    expect(await messagesOf(room)).toEqual(stored);
    expect((await room.ask()).end).toEqual(first.end);
    expect((await (await openRoom()).ask()).end).toMatchObject({ type: 'done' });
  });

  itOnce('answers a refused message when there are tokens again', async () => {
    limitTo(perCall);
    const room = await openRoom();
    await room.ask();
    expect((await room.ask({ lastMessageId: 'msg_1' })).events).toEqual([usedUp]);
    limitTo(perCall + 1);
    expect((await room.ask({ lastMessageId: 'msg_1' })).end).toMatchObject({ type: 'done' });
  });

  it('counts the tool calls of a reply, too', async () => {
    limitTo(1_000_000);
    const room = await openRoom();
    server.answer({ say: [], call: [{ id: 'a', name: 'list_categories', input: {} }] }, { say: ['None.'] });
    await room.ask();
    expect(await counted(room)).toBe(2 * perCall);
  });

  it('estimates tokens if the server reports no count', async () => {
    limitTo(1_000_000);
    const room = await openRoom();
    server.answer({ say: ['كم '.repeat(1_000)], end: 'mark, then reset' });
    expect((await room.ask()).end).toMatchObject({ type: 'done' });
    expect(await counted(room)).toBeGreaterThan(1_000);
    expect(await counted(room)).toBeLessThan(5_000);
  });

  it('counts the tokens of a failed reply, and none for a refusal by the server', async () => {
    limitTo(1_000_000);
    const room = await openRoom();
    server.answer({ status: 400 });
    expect((await room.ask()).end).toMatchObject({ type: 'error' });
    expect(await counted(room)).toBe(0);
    server.answer({ say: ['Half a '.repeat(100)], end: 'no mark' });
    expect((await room.ask()).end).toMatchObject({ type: 'error' });
    expect(await counted(room)).toBeGreaterThan(200);
    expect(await counted(room)).toBeLessThan(3_000);
  });

  itOnce('allows no further reply once parallel replies have used up the tokens', async () => {
    limitTo(3 * perCall);
    const room = await openRoom();
    server.answer({ say: ['Hello.'], pause: 50 });
    const asked = Array.from({ length: 12 }, (_, index) => room.ask({ lastMessageId: `ask_${index + 1}` }));
    const ends = (await Promise.all(asked)).map(({ end }) => end);
    const refused = ends.filter(({ type }) => type === 'error');
    for (const end of refused) expect(end).toEqual(usedUp);
    expect(server.calls.length).toBe(12 - refused.length);
    expect(server.calls.length).toBeLessThanOrEqual(3);
    expect(await counted(room)).toBe(server.calls.length * perCall);
  });

  itOnce('gives eight parallel calls the same reply, or the same refusal', async () => {
    limitTo(1);
    const room = await openRoom();
    server.answer({ say: ['One ', 'reply.'], pause: 100 });
    const ask = (body = {}) => Promise.all(Array.from({ length: 8 }, () => room.ask(body)));
    expect(new Set((await ask()).map(({ end }) => end.text))).toEqual(new Set(['One reply.']));
    for (const { end } of await ask({ lastMessageId: 'msg_1' })) expect(end).toEqual(usedUp);
    expect(server.calls).toHaveLength(1);
  });

  itOnce("keeps the tokens counted that a dead owner's reply has reserved", async () => {
    limitTo(100);
    const room = await openRoom();
    await testTable().put({ ...keyOf(room), tokens: 100, 'by somebody': 100 });
    expect((await room.ask()).events).toEqual([usedUp]);
  });

  itOnce('counts each day separately', async () => {
    limitTo(perCall);
    const room = await openRoom();
    for (const days of [-1, 1]) {
      await testTable().put({ ...keyOf(room, dayOf(Date.now() + days * 86_400_000)), tokens: 1_000 });
    }
    expect((await room.ask()).end).toMatchObject({ type: 'done' });
    const item = await testTable().uncached().get(keyOf(room));
    expect(item).toEqual({ ...keyOf(room), tokens: perCall, ttl: expect.any(Number) });
    expect(item?.['ttl']).toBeGreaterThan(Date.now() / 1_000 + 86_400);
  });

  itOnce('neither counts nor limits replies of the offline engine', async () => {
    limitTo(1);
    const room = await openRoom('offline/retrieval-1');
    await testTable().put({ ...keyOf(room), tokens: 1_000 });
    expect((await room.ask()).end).toMatchObject({ type: 'done' });
    expect(await counted(room)).toBe(1_000);
    expect(server.calls).toHaveLength(0);
  });

  itOnce.each(['0', '-1', '1.5', '1e6', 'many'])('generates no reply when the bound is %s', async (bound) => {
    limitTo(bound);
    const room = await openRoom();
    expect((await room.ask()).events).toEqual([{ type: 'error', error: 'The reply could not be generated.' }]);
    expect(server.calls).toHaveLength(0);
  });
});

it.each(['', ' '])('the tokens of replies are not counted without a limit (%j)', async (bound) => {
  limitTo(bound);
  const room = await openWorkspace('chat');
  expect((await room.ask()).end).toMatchObject({ type: 'done' });
  expect(await counted(room)).toBeUndefined();
});
