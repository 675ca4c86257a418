import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChatRoom, type Event, openChatRoom, type Reply } from '#test/support/chat-room.ts';
import { exported } from '#test/support/document-text.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { type Document, load } from '#test/support/world.ts';

const model = await startOpenAiServer();
process.env['OPENAI_BASE_URL'] = model.url;
afterAll(() => model.close());
beforeEach(() => model.answer({ say: ['Hello.'] }));

const huda = { id: 'cus_1', externalId: 'crm-1', name: 'Huda', email: 'huda@example.com', phone: null };
const bare = { conversationId: 'conv_bare', lastMessageId: 'msg_bare', channelId: 'ch_1', senderId: 'x' };

const newWebsite = { channelId: null, channelIdentifier: 'new.example', customer: { email: 'a@b.co' } };

/** A room whose conversation `conv_bare` has neither customer nor channel. */
const openRoom = (customers: readonly object[] = [huda], change: (document: Document) => void = () => undefined) =>
  openChatRoom((document) => {
    document.messaging.customers = customers;
    if (!customers.includes(huda)) document.messaging.conversations[0].customerId = null;
    change(document);
  });

async function messagingOf({ workspaceId }: ChatRoom) {
  const { messaging, members } = await exported(workspaceId);
  const conversation = (id: string) => messaging.conversations.find((one: Event) => one.id === id);
  return { ...messaging, members, conversation };
}

/** As a client asks that is told to try again: on a busy machine, twenty at once are more than a request has time for. */
async function askUntilAnswered(room: ChatRoom, body: object): Promise<Reply> {
  for (;;) {
    const reply = await room.ask(body);
    if (reply.status !== 503) return reply;
    await delay(1_000 * Number(reply.headers['retry-after']));
  }
}

async function askAs(room: ChatRoom, details: object) {
  const { end } = await room.ask({ ...bare, ...details });
  expect(end).toMatchObject({ type: 'done' });
  return messagingOf(room);
}

describe('a customer', () => {
  it.each([
    ['external id', { externalId: ' crm-1 ' }],
    ['e-mail address in any case', { email: ' HUDA@Example.com' }],
    ['external id before the e-mail address', { externalId: 'crm-1', email: 'other@example.com' }],
  ])('is found by %s, and attached to a conversation that has none', async (_, customer) => {
    const { customers, conversation } = await askAs(await openRoom(), { customer });
    expect(customers).toEqual([huda]);
    expect(conversation('conv_bare').customerId).toBe('cus_1');
  });

  it('is found by the digits of a phone number, in any spelling', async () => {
    const phone = '+966 55 700-0077';
    const room = await openRoom([{ ...huda, phone }]);
    const { customers, conversation } = await askAs(room, { customer: { phone: '(٩٦٦) 557000077' } });
    expect(customers).toEqual([{ ...huda, phone }]);
    expect(conversation('conv_bare').customerId).toBe('cus_1');
  });

  it('gets the blanks filled, and keeps what is there', async () => {
    const room = await openRoom([{ ...huda, externalId: null, name: ' ' }]);
    const customer = { externalId: 'crm-9', name: 'Someone', email: 'huda@example.com', phone: '0557000077' };
    const { customers } = await askAs(room, { customer: { ...customer, email: 'HUDA@example.com' } });
    expect(customers).toEqual([{ id: 'cus_1', ...customer }]);
    const again = await askAs(room, { customer: { externalId: 'crm-9', name: 'Else', phone: '1' } });
    expect(again.customers).toEqual(customers);
    expect((await askAs(room, { customer: { phone: '0557000077' } })).customers).toEqual(customers);
  });

  it('is never merged with one of another external id', async () => {
    const room = await openRoom();
    const { customers, conversation } = await askAs(room, { customer: { externalId: 'crm-2', email: huda.email } });
    expect(customers).toHaveLength(2);
    const added = customers.find(({ id }: Event) => id !== 'cus_1');
    expect(added).toEqual({ id: expect.any(String), externalId: 'crm-2', name: null, email: huda.email, phone: null });
    expect(conversation('conv_bare').customerId).toBe(added.id);
    expect((await askAs(room, { customer: { externalId: 'crm-2' } })).customers).toHaveLength(2);
  });

  it('is new when nobody is found, and no member', async () => {
    const room = await openRoom();
    const customer = { externalId: 'v-1', name: 'Visitor', email: 'v@example.com', phone: '+1 (2) 3' };
    const { customers, members } = await askAs(room, { customer });
    expect(customers).toContainEqual({ id: expect.any(String), ...customer });
    expect(members).toHaveLength(2);
    expect((await askAs(room, { customer: { phone: '123' } })).customers).toHaveLength(2);
  });

  it.each([{}, { name: 'Nobody' }, { externalId: ' ', email: '', phone: '--', name: 'x' }, { email: null }])(
    'comes of nothing to find it by: %j',
    async (customer) => {
      const { customers, conversation } = await askAs(await openRoom(), { customer });
      expect(customers).toEqual([huda]);
      expect(conversation('conv_bare').customerId).toBeNull();
    },
  );

  it('given by id wins, and is not changed', async () => {
    const room = await openRoom();
    const customer = { externalId: 'new', phone: '555' };
    const { customers, conversation } = await askAs(room, { customerId: 'cus_1', customer });
    expect(customers).toEqual([huda]);
    expect(conversation('conv_bare').customerId).toBe('cus_1');
  });

  it('does not push away the one that a conversation has', async () => {
    const room = await openRoom();
    await room.ask({ customer: { externalId: 'crm-2' } });
    const { customers, conversation } = await messagingOf(room);
    expect(customers).toHaveLength(2);
    expect(conversation('conv_1').customerId).toBe('cus_1');
  });

  it('is one, of twenty calls at once', async () => {
    const room = await openRoom();
    const customer = { externalId: 'v-1', email: 'v@example.com', phone: '555' };
    const parts = [customer, { externalId: 'v-1' }, { email: 'V@example.com', phone: '555' }, { phone: '5 5 5' }];
    const calls = Array.from({ length: 20 }, (_, index) =>
      askUntilAnswered(room, { ...bare, customer: parts[index % 4] }),
    );
    for (const { end } of await Promise.all(calls)) expect(end).toMatchObject({ type: 'done' });
    const { customers } = await messagingOf(room);
    const merged = await askAs(room, { customer });
    expect(customers.length).toBeLessThanOrEqual(3);
    expect(merged.customers.filter(({ externalId }: Event) => externalId === 'v-1')).toHaveLength(1);
  });

  it('is one, of twenty equal calls at once', async () => {
    const room = await openRoom();
    const customer = { externalId: 'v-1', email: 'v@example.com', phone: '555' };
    const calls = Array.from({ length: 20 }, () => askUntilAnswered(room, { ...bare, customer }));
    for (const { end } of await Promise.all(calls)) expect(end).toMatchObject({ type: 'done' });
    expect((await messagingOf(room)).customers).toHaveLength(2);
  });

  it('is found by what an import has made of it', async () => {
    const room = await openRoom();
    const { workspace } = room.document;
    await load({ version: 1, workspace, messaging: { customers: [{ ...huda, email: 'new@example.com' }] } });
    expect((await askAs(room, { customer: { email: 'new@example.com' } })).customers).toHaveLength(1);
    expect((await askAs(room, { customer: { email: 'huda@example.com' } })).customers).toHaveLength(2);
  });
});

describe('a website', () => {
  it.each(['saffron.example', 'https://WWW.Saffron.example:8443/menu?x=1', 'saffron.example.'])(
    'is found as %s',
    async (channelIdentifier) => {
      const room = await openRoom();
      const { channels, conversation, messages } = await askAs(room, { channelId: null, channelIdentifier });
      expect(channels).toHaveLength(2);
      expect(conversation('conv_bare').channelId).toBe('ch_1');
      expect(messages.find(({ inReplyTo }: Event) => inReplyTo)).toMatchObject({ channelId: 'ch_1' });
    },
  );

  it('is made when there is none, and attached to the conversation', async () => {
    const room = await openRoom();
    const website = { channelId: null, channelIdentifier: 'http://Café.example/' };
    const { channels, conversation } = await askAs(room, website);
    const added = channels.find(({ id }: Event) => !['ch_1', 'ch_2'].includes(id));
    expect(added).toEqual({ id: expect.any(String), type: 'website', identifier: 'xn--caf-dma.example' });
    expect(conversation('conv_bare').channelId).toBe(added.id);
    expect((await askAs(room, { ...website, channelIdentifier: 'localhost' })).channels).toHaveLength(4);
  });

  it('is one, of twenty calls at once', async () => {
    const room = await openRoom();
    const calls = Array.from({ length: 20 }, () => askUntilAnswered(room, { ...bare, ...newWebsite }));
    for (const { end } of await Promise.all(calls)) expect(end).toMatchObject({ type: 'done' });
    const { channels, customers, conversation } = await messagingOf(room);
    expect(channels).toHaveLength(3);
    expect(customers).toHaveLength(2);
    const website = channels.find(({ identifier }: Event) => identifier === 'new.example');
    expect(conversation('conv_bare')).toMatchObject({
      channelId: website.id,
      customerId: expect.stringMatching(/^cus_/),
    });
  });

  it('is left alone beside the id of a channel', async () => {
    const room = await openRoom();
    const { channels } = await askAs(room, { channelId: 'ch_2', channelIdentifier: 'new.example' });
    expect(channels).toHaveLength(2);
  });
});

it('what was added is exported and imported unchanged', async () => {
  const room = await openRoom();
  await askAs(room, newWebsite);
  const document = await exported(room.workspaceId);
  const { changed, warnings } = await load(document);
  expect({ changed, warnings: warnings.length }).toEqual({ changed: 0, warnings: 0 });
});
