import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { AiTokens } from '#lib/table/messaging/ai-tokens.ts';
import { messagingKeys } from '#lib/table/messaging/keys.ts';
import { Table } from '#lib/table/table.ts';
import { exported } from '#test/support/document-text.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import type { Reply } from '#test/support/presets/chat.ts';
import { timed } from '#test/support/spent-time.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const room = await openWorkspace('chat', ({ messaging }) => {
  for (let number = 1; number <= 30; number++) {
    const message = { id: `ask_${number}`, conversationId: 'conv_1', senderType: 'customer', senderId: 'cus_1' };
    messaging.messages.push({ ...message, text: 'Hello?', createdAt: '2026-02-01T00:00:00.000Z' });
  }
});
const model = await startOpenAiServer();
process.env['OPENAI_BASE_URL'] = model.url;
// The functions are imported from here on, so that their table is behind the proxy.
const proxy = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
beforeEach(() => model.answer({ say: ['Hello.'] }));
afterEach(() => proxy.heal());
afterAll(async () => {
  await proxy.stop();
  await model.close();
});

let asked = 0;
const nextMessage = (): string => `ask_${++asked}`;
const ask = (lastMessageId: string, rest: object = {}): Promise<Reply> => room.ask({ lastMessageId, ...rest });

async function repliesTo(lastMessageId: string) {
  proxy.heal();
  const { messages } = (await exported(room.workspaceId)).messaging;
  return messages.filter(({ inReplyTo }: { inReplyTo?: string }) => inReplyTo === lastMessageId);
}

const down = { kind: 'error', type: 'InternalServerError', status: 500 } as const;

describe('a reply', () => {
  it.each(['UpdateItem', 'TransactWriteItems'])(
    "is stored one time if the table's answer to %s is lost",
    async (operation) => {
      const message = nextMessage();
      proxy.plan(operation, { kind: 'reset after' }, 1);
      const { end } = await ask(message);
      expect(end).toMatchObject({ type: 'done', text: 'Hello.' });
      expect(await repliesTo(message)).toMatchObject([{ id: end.messageId, text: 'Hello.' }]);
      expect(model.calls).toHaveLength(1);
    },
  );

  it('has a truthful end if every answer to its storing is lost', async () => {
    const message = nextMessage();
    proxy.plan('TransactWriteItems', { kind: 'reset after' });
    const { end } = await ask(message);
    const stored = await repliesTo(message);
    expect(stored).toHaveLength(1);
    expect(end).toEqual({ type: 'done', messageId: stored[0].id, text: 'Hello.' });
    expect((await ask(message)).end).toEqual(end);
  });
});

describe('a call', () => {
  it.each([down, { kind: 'hang' }, { kind: 'reset before' }] as const)(
    'is answered 503 within 3 s if the table does not answer at all (%j)',
    async (fault) => {
      proxy.plan('any', fault);
      const { result, waited } = await timed(() => ask(nextMessage()));
      expect(waited).toBeLessThan(3_000);
      const { status, headers, json } = result;
      expect(status).toBe(503);
      expect(json.code).toBe('unavailable');
      expect(headers['retry-after']).toBeTruthy();
      expect(model.calls).toHaveLength(0);
    },
  );

  it.each(['BatchGetItem', 'Query'])('is answered 503 if the table does not answer to %s', async (operation) => {
    proxy.plan(operation, down);
    expect((await ask(nextMessage())).status).toBe(503);
  });

  it.each([
    ['UpdateItem', down, 0],
    ['UpdateItem', { kind: 'cut reply', end: 'clean' }, 0],
    ['TransactWriteItems', down, 1],
    ['TransactWriteItems', { kind: 'hang' }, 1],
  ] as const)('to %s %j: an error, nothing stored, and the next call works', async (operation, fault, calls) => {
    const message = nextMessage();
    proxy.plan(operation, fault);
    const { status, end, events } = await ask(message);
    expect(status).toBe(200);
    expect(end).toEqual({ type: 'error', error: 'The service cannot answer at the moment; try again shortly.' });
    expect(events.filter(({ type }) => type !== 'delta')).toHaveLength(1);
    expect(model.calls).toHaveLength(calls);
    expect(await repliesTo(message)).toEqual([]);
    expect((await ask(message)).end).toMatchObject({ type: 'done', text: 'Hello.' });
    expect(await repliesTo(message)).toHaveLength(1);
  });

  it('is answered 503 if the table does not answer while a customer is created, and leaves one customer', async () => {
    const details = { customer: { externalId: 'crm-2' }, channelIdentifier: 'new.example' };
    const body = { conversationId: 'conv_bare', senderId: 'visitor', ...details };
    proxy.plan('TransactWriteItems', down);
    expect((await ask('msg_bare', body)).status).toBe(503);
    proxy.heal();
    proxy.plan('TransactWriteItems', { kind: 'reset after' }, 2);
    expect((await ask('msg_bare', body)).end).toMatchObject({ type: 'done' });
    proxy.heal();
    const { customers, channels } = (await exported(room.workspaceId)).messaging;
    expect(customers).toHaveLength(2);
    expect(channels).toHaveLength(3);
  });
});

it('a new reply costs five calls and a repeated one two, all reads consistent', async () => {
  const operations = () => proxy.calls.map(({ operation }) => operation).sort();
  const small = await openWorkspace('chat');
  await small.ask({ agentId: 'agent_2' });
  await proxy.forget();
  await small.ask();
  // The second call reads the conversation's state: a take-over changes it, and the reply depends on it.
  expect(operations()).toEqual(['BatchGetItem', 'BatchGetItem', 'Query', 'TransactWriteItems', 'UpdateItem']);
  await proxy.forget();
  await small.ask();
  expect(operations()).toEqual(['BatchGetItem', 'Query']);
  for (const { operation, input } of proxy.calls) {
    const reads = operation === 'Query' ? [input] : Object.values(input.RequestItems);
    for (const read of reads as { ConsistentRead: boolean }[]) expect(read.ConsistentRead).toBe(true);
  }
});

describe('a limit of tokens', () => {
  beforeEach(() => void Object.assign(process.env, { AI_TOKENS_PER_DAY: '1000000' }));
  afterEach(() => void delete process.env['AI_TOKENS_PER_DAY']);

  it('costs a reply two more calls of the table, and no read', async () => {
    const small = await openWorkspace('chat');
    await small.ask({ agentId: 'agent_2' });
    await proxy.forget();
    await small.ask();
    const operations = proxy.calls.map(({ operation }) => operation);
    expect(operations.filter((name) => name === 'UpdateItem')).toHaveLength(3);
    expect(operations.filter((name) => name !== 'UpdateItem' && name !== 'TransactWriteItems')).toHaveLength(3);
    await proxy.forget();
    await small.ask();
    expect(proxy.calls).toHaveLength(2);
  });

  it('prevents a model call if the tokens cannot be counted', async () => {
    const message = nextMessage();
    proxy.plan('UpdateItem', { kind: 'delay', milliseconds: 0 }, 1);
    proxy.plan('UpdateItem', down);
    const { end } = await ask(message);
    expect(end).toEqual({ type: 'error', error: 'The service cannot answer at the moment; try again shortly.' });
    expect(model.calls).toHaveLength(0);
  });
});

it('the details of a customer and a stored website cost three reads more', async () => {
  const small = await openWorkspace('chat');
  const body = { channelIdentifier: 'saffron.example', customer: { externalId: 'crm-1', email: 'huda@example.com' } };
  await small.ask({ ...body, agentId: 'agent_2' });
  await proxy.forget();
  const { end } = await small.ask(body);
  expect(end).toMatchObject({ type: 'done' });
  const operations = proxy.calls.map(({ operation }) => operation);
  expect(operations.slice(0, 5).sort()).toEqual([...Array(4).fill('BatchGetItem'), 'Query']);
  expect(operations.slice(5)).toEqual(['UpdateItem', 'BatchGetItem', 'TransactWriteItems']);
});

it('tokens are reserved and settled one time, even if an answer of the table is lost', async () => {
  const table = new Table({ client: tableClient(), name: process.env['TABLE_NAME'] ?? '' });
  const tokens = new AiTokens(table, room);
  const counted = async () =>
    (await table.uncached().get(messagingKeys.aiTokens(room.workspaceId, '2026-11-20')))?.['tokens'];
  const reserved = { day: '2026-11-20', owner: 'somebody', tokens: 500 };
  proxy.plan('UpdateItem', { kind: 'reset after' }, 1);
  expect(await tokens.reserve(reserved, 100)).toBe(true);
  expect(await counted()).toBe(500);
  expect(await tokens.reserve({ ...reserved, owner: 'another' }, 500)).toBe(false);
  proxy.plan('UpdateItem', { kind: 'reset after' }, 1);
  await tokens.settle(reserved, 20);
  expect(await counted()).toBe(20);
  await tokens.settle(reserved, 20);
  expect(await counted()).toBe(20);
});
