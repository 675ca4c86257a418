import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { httpApiEvent } from '#lib/local/event.ts';
import { ConditionFailed } from '#lib/table/errors.ts';
import { AiRuns } from '#lib/table/messaging/ai-runs.ts';
import { messagingKeys } from '#lib/table/messaging/keys.ts';
import { type Answer, answerOfResult, functionOf, rawRequest } from '#test/support/call.ts';
import { Containers } from '#test/support/containers.ts';
import { storedRecords } from '#test/support/document-text.ts';
import { KillableFunctions, type KillPoint } from '#test/support/killable-functions.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { conversations, eventsOf, message, streamPath } from '#test/support/presets/chat.ts';
import { sharedBundles } from '#test/support/shared-bundles.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, testTable } from '#test/support/world.ts';

// The process dies before and after each write of a reply. Then the reply is requested again, as clients do.

const agentId = 'agent_1';
const handled = { type: 'error', error: 'This conversation is handled by a member of the team.' };
const wholeReply = /^Reply \d+, from its first word to its last\.$/;
const conversationsMax = 60;

const model = await startOpenAiServer();
let files: ReadonlyMap<string, string>;
let containers: Containers;
let room: Workspace<'talk'>;

/** Conversations of unknown visitors, one for each number, with a message each. */
const openRoom = () =>
  openWorkspace('talk', ({ messaging }) => {
    for (let number = 0; number < conversationsMax; number++) {
      const conversationId = `conv_k${number}`;
      messaging.conversations.push({ id: conversationId });
      messaging.messages.push(message(`msg_k${number}`, 9, { conversationId, senderId: null }));
    }
  });

beforeAll(async () => {
  Object.assign(process.env, { OPENAI_BASE_URL: model.url, AI_TOKENS_PER_DAY: '10000000' });
  files = new Map((await sharedBundles()).map(({ name, file }) => [name, file]));
  containers = await Containers.start(2);
});
afterAll(async () => {
  delete process.env['AI_TOKENS_PER_DAY'];
  await Promise.all([containers[Symbol.asyncDispose](), model.close()]);
});

const deathsAround = (writes: number): KillPoint[] =>
  Array.from({ length: writes }, (_, index) => index + 1).flatMap((write): KillPoint[] => [
    { write, when: 'before' },
    { write, when: 'after' },
  ]);

type Ask = (request: string, body: object) => Promise<Answer | undefined>;

/**
 * Repeats the work, each time with the next number, until all deaths have happened.
 * @returns the moments of the deaths
 */
async function withDeaths(writes: number, work: (ask: Ask, number: number) => Promise<void>) {
  const functions = await KillableFunctions.start(
    { table: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '' },
    deathsAround(writes),
  );
  const ask: Ask = async (request, body) => {
    const file = files.get(functionOf(request)) ?? '';
    const answer = await functions.invoke(file, httpApiEvent(rawRequest(request, { key: room.key, body })));
    return answer ? answerOfResult(answer as APIGatewayProxyStructuredResultV2) : undefined;
  };
  try {
    for (let number = 0; functions.deathsLeft > 0; number++) await work(ask, number);
    return functions.deathsSeen;
  } finally {
    await functions.stop();
  }
}

async function read(container: number, path: string): Promise<Answer> {
  const answer = await containers.at(container).call(`GET ${conversations}${path}`, { key: room.key });
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer;
}
const stored = (kind: 'customer' | 'channel' | 'notification') => storedRecords(room.workspaceId, kind);
const runOf = (id: string) =>
  new AiRuns(testTable(), room, { conversationId: id, agentId, messageId: id.replace('conv', 'msg') }).read();

/**
 * Expects all containers to agree about a conversation: there is a whole reply or none. A reply has
 * the end of its run, the hand-over and the notification beside it.
 * @returns the id of the reply
 */
async function repliedIn(id: string, handsOver: boolean): Promise<string | undefined> {
  const path = `/${id}/messages`;
  const { json, text } = await read(0, path);
  const other = await read(1, path);
  expect(other.text).toBe(text);
  const [, reply, ...more]: (Document | undefined)[] = json.data;
  expect(more).toEqual([]);
  if (reply) expect(reply).toMatchObject({ senderId: agentId, text: expect.stringMatching(wholeReply) });
  const isHandedOver = handsOver && reply !== undefined;
  const lists = await Promise.all([0, 1].map((container) => read(container, '?limit=100')));
  for (const { json } of lists)
    expect(json.data.find((row: Document) => row.id === id)).toMatchObject({
      status: isHandedOver ? 'pending' : 'open',
      assignee: null,
      lastMessage: reply?.text ?? `This is ${id.replace('conv', 'msg')}.`,
    });
  const notified = (await stored('notification')).filter(({ conversationId }) => conversationId === id);
  expect(notified).toHaveLength(isHandedOver ? 1 : 0);
  const run = await runOf(id);
  expect([run?.status === 'done', run?.replyId]).toEqual([reply !== undefined, reply?.id]);
  return reply?.id;
}

/** Ends the lease of a process that died. */
async function endLease(id: string, owner: string | undefined): Promise<void> {
  if (owner === undefined) return;
  const key = messagingKeys.aiRun(room.workspaceId, id, agentId, id.replace('conv', 'msg'));
  const change = {
    UpdateExpression: 'SET leaseUntil = :past',
    ConditionExpression: '#owner = :owner AND #status = :running',
    ExpressionAttributeNames: { '#owner': 'owner', '#status': 'status' },
    ExpressionAttributeValues: { ':past': 0, ':owner': owner, ':running': 'running' },
  };
  await testTable()
    .update(key, change)
    .catch((error: unknown) => {
      if (!(error instanceof ConditionFailed)) throw error;
    });
}

const endOf = ({ status, text }: Answer) => {
  expect(status).toBe(200);
  return eventsOf(text).at(-1);
};

it.each([
  // Customer, channel, conversation, claim, tokens of a call, reply, and the last use of the key.
  ['', false, 8],
  // The tokens of a second call.
  [' that hands over', true, 10],
])(
  'a reply%s is stored one time and whole, and its lease ends, whenever its process is killed',
  async (...row) => {
    const [, handsOver, writes] = row;
    room = await openRoom();
    let made = 0;
    model.answer(({ messages }) => {
      const isAfterTool = messages.some(({ role }: Document) => role === 'tool');
      if (handsOver && !isAfterTool) return { say: [], call: [{ id: 'call_1', name: 'hand_over', input: {} }] };
      return { say: [`Reply ${++made}, `, 'from its first word ', 'to its last.'] };
    });
    const moments = await withDeaths(writes, async (ask, number) => {
      const id = `conv_k${number}`;
      const customer = { externalId: `guest ${number}` };
      const channelIdentifier = `site-${number}.example`;
      const lastMessageId = `msg_k${number}`;
      const body = { agentId, conversationId: id, lastMessageId, senderId: 'guest', customer, channelIdentifier };
      const askContainer = async (index: number) =>
        endOf(await containers.at(index).call(streamPath, { key: room.key, body }));
      const doneAs = (messageId?: string) => (handsOver ? handled : { type: 'done', messageId });

      let first = await ask(streamPath, body);
      if (first) {
        expect(endOf(first)).toMatchObject({ type: 'done', messageId: await repliedIn(id, handsOver) });
      } else {
        const before = await repliedIn(id, handsOver);
        const run = await runOf(id);
        // Another container waits for the dead process's lease, and then generates the reply itself.
        const waiting = askContainer(0);
        await endLease(id, run?.owner);
        const end = await waiting;
        const messageId = await repliedIn(id, handsOver);
        expect(end).toMatchObject(before === undefined ? { type: 'done', messageId } : doneAs(before));
        while (!first) first = await ask(streamPath, body);
        expect(endOf(first)).toMatchObject(doneAs(messageId));
      }
      const messageId = await repliedIn(id, handsOver);
      expect(messageId).toBeDefined();
      const calls = model.calls.length;
      expect(await askContainer(1)).toMatchObject(doneAs(messageId));
      expect(model.calls).toHaveLength(calls);
      const customers = await stored('customer');
      const channels = await stored('channel');
      expect(customers.filter(({ externalId }) => externalId === customer.externalId)).toHaveLength(1);
      expect(channels.filter(({ identifier }) => identifier === channelIdentifier)).toHaveLength(1);
    });
    // The reply's transaction also moves the conversation in its list, which removes a row.
    expect(moments).toEqual(expect.arrayContaining(['before finishing', 'after finishing']));
  },
  600_000,
);

it('a take-over that is killed during a reply either stops the reply or leaves it whole', async () => {
  room = await openRoom();
  let release = () => {};
  const moments = await withDeaths(2, async (ask, number) => {
    const id = `conv_k${number}`;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    model.answer({ say: [`Reply ${number}, `, 'from its first word to its last.'], until });
    const body = { agentId, conversationId: id, lastMessageId: `msg_k${number}`, senderId: 'guest', channelId: 'ch_1' };
    const asking = containers.at(0).call(streamPath, { key: room.key, body });
    while (model.calls.length === 0) await pause(5);
    const takeOver = () => ask(`PATCH ${conversations}/${id}`, { assignee: { type: 'member', id: 'mem_1' } });
    const first = await takeOver();
    const { assignee } = (await read(1, `/${id}`)).json;
    release();
    const end = endOf(await asking);
    if (first) expect(assignee).toEqual({ type: 'member', id: 'mem_1' });
    expect(end).toMatchObject(assignee ? handled : { type: 'done', text: expect.stringMatching(wholeReply) });
    const isStored = () => read(1, `/${id}/messages`).then(({ json }) => json.data.length === 2);
    expect(await isStored()).toBe(!assignee);
    let again = first;
    while (!again) again = await takeOver();
    expect(again.json).toMatchObject({ assignee: { type: 'member', id: 'mem_1' } });
    expect(await isStored()).toBe(!assignee);
  });
  expect(moments).toEqual(expect.arrayContaining(['before storing', 'after storing']));
});
