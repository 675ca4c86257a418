import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { bundleFunctions } from '#lib/bundle/bundle-functions.ts';
import { httpApiEvent } from '#lib/local/event.ts';
import { eventOf } from '#lib/table/access/stored-events.ts';
import { eventKeys } from '#lib/table/events/keys.ts';
import { messagingKeys } from '#lib/table/messaging/keys.ts';
import { rawRequest } from '#test/support/call.ts';
import { storedRecords } from '#test/support/document-text.ts';
import { KillableFunctions, type KillPoint } from '#test/support/killable-functions.ts';
import { conversations, website } from '#test/support/presets/chat.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, testTable } from '#test/support/world.ts';

// Each call makes several writes. The process dies before and after each of them, and the call is repeated, as clients
// do.

let folder: string;
let files: ReadonlyMap<string, string>;
let room: Workspace<'visitors'>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conversation-killed-'));
  const bundles = await bundleFunctions(undefined, join(folder, 'build', 'functions'));
  files = new Map(bundles.map(({ name, file }) => [name, file]));
});
beforeEach(async () => {
  room = await openWorkspace('visitors');
});
afterAll(() => rm(folder, { recursive: true }));

/** Around each of the first writes of a process; the last use of the key is one of them. */
const deathsAround = (writes: number): KillPoint[] =>
  Array.from({ length: writes }, (_, index) => index + 1).flatMap((write): KillPoint[] => [
    { write, when: 'before' },
    { write, when: 'after' },
  ]);

/** Calls of functions; the process of some of them dies. */
class Calls {
  readonly #functions: KillableFunctions;

  constructor(functions: KillableFunctions) {
    this.#functions = functions;
  }

  /** @returns undefined when the process was killed */
  async once(name: string, request: string, body: object, headers: Record<string, string> = {}) {
    const event = httpApiEvent(rawRequest(request, { key: room.key, body, headers }));
    const answer = await this.#functions.invoke(files.get(name) ?? '', event);
    if (!answer) return undefined;
    const { statusCode, body: text = '' } = answer as APIGatewayProxyStructuredResultV2;
    return { status: statusCode, text, json: JSON.parse(text) as Document };
  }

  /** Repeats the call until there is an answer. */
  async writeWithRetries(...call: Parameters<Calls['once']>) {
    for (;;) {
      const answer = await this.once(...call);
      if (answer) return answer;
    }
  }
}

/** Repeats the work, each time with the next number, until all deaths have happened. */
async function withDeaths(writes: number, work: (calls: Calls, number: number) => Promise<void>): Promise<void> {
  const table = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const functions = await KillableFunctions.start({ table }, deathsAround(writes));
  try {
    for (let number = 0; functions.deathsLeft > 0; number++) await work(new Calls(functions), number);
    expect(functions.deathsSeen.some((moment) => /^after (storing|finishing)$/.test(moment))).toBe(true);
  } finally {
    await functions.stop();
  }
}

const stored = (kind: 'conversation' | 'customer' | 'channel') => storedRecords(room.workspaceId, kind);
const listed = async (query = ''): Promise<Document[]> => (await room.send('GET', `?limit=100${query}`)).json.data;
const messagesOf = async (id: string): Promise<Document[]> =>
  (await room.send('GET', `/${id}/messages?limit=100`)).json.data;
const pathOf = (id: string) => `${conversations}/${id}`;

/** Expects all stored items of a conversation's messages to agree. */
async function expectWhole(id: string): Promise<void> {
  const messages = await messagesOf(id);
  const [row] = (await listed()).filter((row) => row.id === id);
  const newest = messages.at(-1);
  expect([row?.lastMessageAt, row?.lastMessage]).toEqual([newest?.createdAt ?? null, newest?.text ?? null]);
  expect(row?.unreadCount).toBe(messages.filter(({ senderType }) => senderType === 'customer').length);
  for (const message of messages) {
    const { status } = await room.send('GET', `/${id}/messages?after=${message.id}`);
    expect([message.id, status]).toEqual([message.id, 200]);
  }
  const named = new Set(messages.flatMap(({ attachments }) => attachments.map((file: Document) => file.id)));
  for (const file of ['att_1', 'att_2']) {
    const mark = await testTable().get(messagingKeys.namedFile(room.workspaceId, id, file));
    expect([file, mark !== undefined]).toEqual([file, named.has(file)]);
  }
}

it.each([
  ['with an Idempotency-Key', (number: number) => ({ 'idempotency-key': `open ${number}` })],
  ['without an Idempotency-Key', () => ({})],
])(
  'a conversation that is opened %s is created one time, with its customer and channel, whenever the process is killed',
  async (_, headersOf) => {
    const before = await stored('conversation');
    const opened: string[] = [];
    await withDeaths(3, async (calls, number) => {
      const body = { channelIdentifier: `site-${number}.example`, customer: { externalId: `guest ${number}` } };
      const open = () => calls.writeWithRetries('conversation-open', `POST ${conversations}`, body, headersOf(number));
      const { status, json } = await open();
      expect([200, 201]).toContain(status);
      opened.push(json.id);
      expect((await open()).json.id).toBe(json.id);
      const made = (await stored('customer')).filter(({ externalId }) => externalId === `guest ${number}`);
      const websites = (await stored('channel')).filter(({ identifier }) => identifier === `site-${number}.example`);
      expect([made.length, made[0]?.id, websites.length, websites[0]?.id]).toEqual([
        1,
        json.customerId,
        1,
        json.channelId,
      ]);
      expect((await listed(`&customerId=${json.customerId}`)).map(({ id }) => id)).toEqual([json.id]);
    });
    expect((await stored('conversation')).length).toBe(before.length + opened.length);
  },
);

it('a visitor session that is killed leaves all of its records or none', async () => {
  await withDeaths(3, async (calls) => {
    await calls.once('visitor-session-open', 'POST /api/v1/connect/visitor-sessions', { channelIdentifier: website });
    const customers = (await stored('customer')).filter(({ externalId }) => externalId.startsWith('visitor-'));
    const owners = (await listed('&channelId=ch_web')).map(({ customerId }) => customerId);
    expect(customers.map(({ id }) => id).toSorted()).toEqual(owners.toSorted());
  });
});

it('a message with files is stored one time and whole, whenever the process is killed', async () => {
  const texts: string[] = [];
  await withDeaths(2, async (calls, number) => {
    const body = { senderType: 'customer', text: `text ${number}`, attachments: [`att_${1 + (number % 2)}`] };
    const headers = { 'idempotency-key': `send ${number}` };
    const call = [
      'message-send',
      `POST ${pathOf('conv_empty')}/messages`,
      { ...body, senderId: 'cus_1' },
      headers,
    ] as const;
    if (!(await calls.once(...call))) await expectWhole('conv_empty');
    const { status, text } = await calls.writeWithRetries(...call);
    expect(status).toBe(201);
    expect((await calls.writeWithRetries(...call)).text).toBe(text);
    texts.push(body.text);
    expect((await messagesOf('conv_empty')).map((message) => message.text)).toEqual(texts);
    await expectWhole('conv_empty');
  });
});

it('a message without an Idempotency-Key is stored one time or not at all if the process is killed', async () => {
  await withDeaths(2, async (calls, number) => {
    const body = { senderType: 'member', text: `text ${number}`, attachments: ['att_2'] };
    const answer = await calls.once('message-send', `POST ${pathOf('conv_empty')}/messages`, body);
    const found = (await messagesOf('conv_empty')).filter(({ text }) => text === body.text);
    expect(found.length).toBeLessThanOrEqual(1);
    if (answer) expect(found.map(({ id }) => id)).toEqual([answer.json.id]);
    await expectWhole('conv_empty');
  });
});

it('a read mark is never lost and never moves back, whenever the process is killed', async () => {
  const ids: string[] = [];
  for (let number = 0; number < 12; number++)
    ids.push((await room.say('conv_empty', { senderType: 'customer', senderId: 'cus_1', text: `${number}` })).json.id);
  const unread = async () => (await listed()).find(({ id }) => id === 'conv_empty')?.unreadCount;
  const table = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const functions = await KillableFunctions.start({ table }, deathsAround(2));
  const calls = new Calls(functions);
  try {
    for (const [index, messageId] of ids.entries()) {
      const call = ['conversation-read', `POST ${pathOf('conv_empty')}/read`, { messageId }] as const;
      if (!(await calls.once(...call))) expect([ids.length - index, ids.length - index - 1]).toContain(await unread());
      expect((await calls.writeWithRetries(...call)).json).toEqual({ messageId });
      expect(await unread()).toBe(ids.length - index - 1);
    }
    expect(functions.deathsLeft).toBe(0);
  } finally {
    await functions.stop();
  }
});

it('a change of a conversation is stored with its audit event or not at all, whenever the process is killed', async () => {
  const statuses = ['pending', 'snoozed', 'resolved', 'open'];
  let changes = 0;
  await withDeaths(2, async (calls, number) => {
    const { headers } = await room.send('GET', '/conv_1');
    const body = { status: statuses[number % statuses.length], assignee: { type: 'member', id: 'mem_3' } };
    const call = [
      'conversation-update',
      `PATCH ${pathOf('conv_1')}`,
      body,
      { 'if-match': headers['etag'] ?? '' },
    ] as const;
    for (let isDone = false, answer: Awaited<ReturnType<Calls['once']>>; !answer; ) {
      answer = await calls.once(...call);
      if (answer) expect(answer.status).toBe(isDone ? 412 : 200);
      isDone = (await room.send('GET', '/conv_1')).headers['etag'] !== headers['etag'];
    }
    changes++;
    const { json } = await room.send('GET', '/conv_1');
    expect(json).toMatchObject(body);
    expect((await listed()).filter(({ id }) => id === 'conv_1')).toMatchObject([
      { ...body, updatedAt: json.updatedAt },
    ]);
    expect(await auditEvents('conv_1')).toBe(changes);
  });
});

async function auditEvents(recordId: string): Promise<number> {
  const events = testTable().query({ pk: eventKeys.auditEvents(room.workspaceId) });
  return (await Array.fromAsync(events)).map(eventOf).filter((event) => event.recordId === recordId).length;
}
