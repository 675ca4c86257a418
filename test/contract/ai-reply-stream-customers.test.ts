import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exported, storedRecords } from '#test/support/document-text.ts';
import { itLong, someOf } from '#test/support/long-run.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { type Event, message, type Reply } from '#test/support/presets/chat.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { type Document, importFile, load } from '#test/support/world.ts';

const model = await startOpenAiServer();
process.env['OPENAI_BASE_URL'] = model.url;
afterAll(() => model.close());
beforeEach(() => model.answer({ say: ['Hello.'] }));

const huda = { id: 'cus_1', externalId: 'crm-1', name: 'Huda', email: 'huda@example.com', phone: null };
const bare = { conversationId: 'conv_bare', lastMessageId: 'msg_bare', channelId: 'ch_1', senderId: 'x' };

const newWebsite = { channelId: null, channelIdentifier: 'new.example', customer: { email: 'a@b.co' } };

/** A room whose conversation `conv_bare` has neither customer nor channel. */
const openRoom = (customers: readonly object[] = [huda], change: (document: Document) => void = () => undefined) =>
  openWorkspace('chat', (document) => {
    document.messaging.customers = customers;
    if (!customers.includes(huda)) document.messaging.conversations[0].customerId = null;
    change(document);
  });

async function messagingOf({ workspaceId }: Workspace<'chat'>) {
  const kinds = ['customer', 'channel', 'conversation', 'message'] as const;
  const records = await Promise.all(kinds.map((kind) => storedRecords(workspaceId, kind)));
  const [customers = [], channels = [], conversations = [], messages = []] = records;
  const conversation = (id: string) => conversations.find((conversation) => conversation.id === id);
  return { customers, channels, conversations, messages, conversation };
}

const dataUnavailable = 'The service cannot answer at the moment; try again shortly.';

/** Retries after a 503: on a busy machine, several calls in parallel may exceed a request's time. */
async function askUntilAnswered(room: Workspace<'chat'>, body: object): Promise<Reply> {
  for (;;) {
    const reply = await room.ask(body);
    const isBusy = reply.status === 503 || reply.end?.error === dataUnavailable;
    if (!isBusy) return reply;
    await delay(1_000 * Number(reply.headers['retry-after'] ?? 1));
  }
}

async function askAs(room: Workspace<'chat'>, details: object) {
  const { end } = await askUntilAnswered(room, { ...bare, ...details });
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
    for (const spelling of ['(٩٦٦) 557000077', '\u2066९६६.55/7000077\u2069']) {
      const { customers, conversation } = await askAs(room, { customer: { phone: spelling } });
      expect(customers).toEqual([{ ...huda, phone }]);
      expect(conversation('conv_bare').customerId).toBe('cus_1');
    }
  });

  it('is found by an address at an international domain, in any spelling', async () => {
    const email = 'huda@xn--trkiye-3ya.example';
    const room = await openRoom([{ ...huda, email: 'huda@TÜRKIYE.example' }]);
    for (const spelling of [email, 'Huda@türkiye.example', ' huda@TU\u0308RKIYE.example']) {
      const { customers, conversation } = await askAs(room, { customer: { email: spelling } });
      expect(customers).toEqual([{ ...huda, email }]);
      expect(conversation('conv_bare').customerId).toBe('cus_1');
    }
  });

  it('is stored with the address in ASCII', async () => {
    const customer = { externalId: 'v-2', name: null, email: 'v@日本.example', phone: '۰۲۱-۵۵۵۵' };
    const { customers } = await askAs(await openRoom(), { customer });
    expect(customers).toContainEqual({
      id: expect.any(String),
      ...customer,
      email: 'v@xn--wgv71a.example',
      phone: '021-5555',
    });
  });

  it('found by external id gets its empty members filled, and keeps the others', async () => {
    const room = await openRoom([{ ...huda, name: ' ', email: null }]);
    const customer = { externalId: 'crm-1', name: 'Someone', email: 'HUDA@example.com', phone: '0557000077' };
    const { customers } = await askAs(room, { customer });
    expect(customers).toEqual([{ id: 'cus_1', ...customer }]);
    const again = await askAs(room, { customer: { ...customer, name: 'Else', phone: '1234567' } });
    expect(again.customers).toEqual(customers);
  });

  it.each([
    ['e-mail', { email: 'huda@example.com', phone: '0557000077' }],
    ['phone', { email: 'new@example.com', phone: '+966 557 000 088', name: 'New' }],
  ])('found by %s is attached, and stays unchanged', async (_, customer) => {
    const stored = { ...huda, externalId: null, name: null, phone: '966557000088' };
    const { customers, conversation } = await askAs(await openRoom([stored]), { customer });
    expect(customers).toEqual([stored]);
    expect(conversation('conv_bare').customerId).toBe('cus_1');
  });

  it('a customer with an unknown external id is created, even if another customer has the same e-mail or phone', async () => {
    const stored = { ...huda, externalId: null, phone: '966557000088' };
    const room = await openRoom([stored]);
    const customer = { externalId: 'attacker-1', name: null, email: 'evil@attacker.example', phone: '966557000088' };
    const { customers, conversation } = await askAs(room, { customer });
    expect(customers).toHaveLength(2);
    expect(customers).toContainEqual(stored);
    expect(customers).toContainEqual({ id: conversation('conv_bare').customerId, ...customer });
  });

  it('a customer with the smallest id is attached when several share an e-mail or phone', async () => {
    const shared = ['cus_c', 'cus_a', 'cus_b'].map((id) => ({ id, email: 'shared@example.com', phone: '5551234567' }));
    for (const customer of [{ email: 'Shared@example.com' }, { phone: '(555) 123-4567' }]) {
      const { customers, conversation } = await askAs(await openRoom(shared), { customer });
      expect(customers).toHaveLength(3);
      expect(conversation('conv_bare').customerId).toBe('cus_a');
    }
  });

  it('is never merged with a customer of another external id', async () => {
    const room = await openRoom();
    const { customers, conversation } = await askAs(room, { customer: { externalId: 'crm-2', email: huda.email } });
    expect(customers).toHaveLength(2);
    const added = customers.find(({ id }: Event) => id !== 'cus_1');
    expect(added).toEqual({ id: expect.any(String), externalId: 'crm-2', name: null, email: huda.email, phone: null });
    expect(conversation('conv_bare').customerId).toBe(added.id);
    expect((await askAs(room, { customer: { externalId: 'crm-2' } })).customers).toHaveLength(2);
  });

  it('is created when no customer matches, and never found among members', async () => {
    const room = await openRoom();
    const customer = { externalId: 'v-1', name: 'Visitor', email: 'v@example.com', phone: '+1 (234) 567' };
    const { customers } = await askAs(room, { customer });
    expect(customers).toContainEqual({ id: expect.any(String), ...customer });
    expect((await exported(room.workspaceId)).members).toHaveLength(2);
    expect((await askAs(room, { customer: { phone: '1234567' } })).customers).toHaveLength(2);
  });

  it('is stored without an ill-formed e-mail address and a short phone number', async () => {
    const customer = { externalId: ' v-1 ', name: ' Visitor ', email: 'a@b@c', phone: '1234 x5' };
    const { customers, conversation } = await askAs(await openRoom(), { customer });
    const added = customers.find(({ id }: Event) => id === conversation('conv_bare').customerId);
    expect(added).toEqual({ id: added.id, externalId: 'v-1', name: 'Visitor', email: null, phone: null });
  });

  const nobody = [
    { name: 'Nobody' },
    { externalId: ' ', email: '', phone: '--', name: 'x' },
    { email: 'huda@example', phone: '12-34 #56' },
    {},
    { email: null },
    { email: 'huda', phone: '(0)' },
  ];
  it.each(someOf(nobody, 3))('is not created from details without an identifier: %j', async (customer) => {
    const { customers, conversation } = await askAs(await openRoom(), { customer });
    expect(customers).toEqual([huda]);
    expect(conversation('conv_bare').customerId).toBeNull();
  });

  it('given by id is used, and is not changed', async () => {
    const room = await openRoom();
    const customer = { externalId: 'new', phone: '5551234567' };
    const { customers, conversation } = await askAs(room, { customerId: 'cus_1', customer });
    expect(customers).toEqual([huda]);
    expect(conversation('conv_bare').customerId).toBe('cus_1');
  });

  it.each([
    { externalId: 'crm-1', phone: '0557000077' },
    { email: 'HUDA@example.com', phone: '0557000077', name: 'Else' },
    { email: 'ill-formed', phone: '12', name: 'Else' },
  ])('is neither created nor changed for a conversation that has one: %j', async (customer) => {
    const room = await openRoom();
    expect((await room.ask({ customer })).end).toMatchObject({ type: 'done' });
    const { customers, conversation } = await messagingOf(room);
    expect(customers).toEqual([huda]);
    expect(conversation('conv_1').customerId).toBe('cus_1');
  });

  itLong('is created one time for each external id by eight parallel calls', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => index);
    const room = await openRoom([huda], ({ messaging }) => {
      for (const index of ids) messaging.conversations.push({ id: `conv_new_${index}`, channelId: 'ch_1' });
      for (const index of ids) {
        const conversationId = `conv_new_${index}`;
        messaging.messages.push(message(`msg_new_${index}`, 5, { conversationId, senderId: null }));
      }
    });
    const customer = { externalId: 'v-1', email: 'v@example.com', phone: '5551234567' };
    const { email, phone } = customer;
    const parts = [customer, { externalId: 'v-1' }, { email, phone }, { phone: '555 123 4567' }];
    const calls = ids.map((index) => {
      const conversation = { conversationId: `conv_new_${index}`, lastMessageId: `msg_new_${index}` };
      return askUntilAnswered(room, { ...bare, ...conversation, customer: parts[index % 4] });
    });
    for (const { end } of await Promise.all(calls)) expect(end).toMatchObject({ type: 'done' });
    const { customers } = await messagingOf(room);
    expect(customers.filter(({ externalId }: Event) => externalId === 'v-1')).toHaveLength(1);
    expect(customers.length).toBeLessThanOrEqual(4);
  });

  it('is created one time by eight equal parallel calls', async () => {
    const room = await openRoom();
    const customer = { externalId: 'v-1', email: 'v@example.com', phone: '5551234567' };
    const calls = Array.from({ length: 8 }, () => askUntilAnswered(room, { ...bare, customer }));
    for (const { end } of await Promise.all(calls)) expect(end).toMatchObject({ type: 'done' });
    expect((await messagingOf(room)).customers).toHaveLength(2);
  });

  it('is found by the values of an import', async () => {
    const room = await openRoom();
    const { workspace } = room.document;
    await load({ version: 1, workspace, messaging: { customers: [{ ...huda, email: 'new@example.com' }] } });
    const old = { ...bare, conversationId: 'conv_other', lastMessageId: 'msg_other', customer: { email: huda.email } };
    const conversations = [{ id: 'conv_other' }];
    const messages = [message('msg_other', 5, { conversationId: 'conv_other', senderId: null })];
    await load({ version: 1, workspace, messaging: { conversations, messages } });
    expect((await askAs(room, { customer: { email: 'new@example.com' } })).customers).toHaveLength(1);
    expect((await askAs(room, old)).customers).toHaveLength(2);
  });
});

describe("a text in a customer's details", () => {
  const names = ['externalId', 'name', 'email', 'phone'];
  // Refusals change nothing, so one room is enough for all of them.
  const refusing = openRoom();
  it.each([
    ['201 characters', '😀'.repeat(201), 'max_length'],
    ['20,000 digits', '1'.repeat(20_000), 'max_length'],
    ['a control character', 'a\u0000b', 'format'],
    ['a line break', 'Reem\r\nBcc: x', 'format'],
    ['a C1 control', '\u0085', 'format'],
  ])('is refused with %s (400), and nothing is stored', async (_, text, code) => {
    const room = await refusing;
    for (const name of names) {
      const { status, json } = await room.ask({ ...bare, customer: { externalId: 'v-1', [name]: text } });
      expect(status).toBe(400);
      expect(json).toMatchObject({ code: 'validation_failed', errors: [{ path: `customer.${name}`, code }] });
    }
    expect((await messagingOf(room)).customers).toEqual([huda]);
  });

  it('may have 200 characters', async () => {
    const customer = { externalId: '😀'.repeat(200), name: 'x'.repeat(200), email: null, phone: null };
    const { customers } = await askAs(await openRoom(), { customer });
    expect(customers).toContainEqual({ id: expect.any(String), ...customer });
  });

  it('is refused by an import for the same reasons', async () => {
    const { document } = await openRoom();
    document.messaging.customers = [{ ...huda, name: 'x'.repeat(201), phone: '1\n2' }];
    const { failures } = await importFile(document);
    expect(failures).toMatchObject([{ code: 'max_length' }, { code: 'format' }]);
  });
});

describe('a conversation that has a customer', () => {
  const reem = { id: 'cus_reem', externalId: 'crm-2', name: 'Reem', email: 'reem@example.com', phone: '966557000011' };
  const others = [
    { customerId: 'cus_reem' },
    { customerId: 'cus_absent' },
    { customerId: 'cus_reem', customer: { externalId: 'crm-1' } },
    { customer: { externalId: 'crm-2' } },
    { customer: { externalId: 'never-seen' } },
    { customer: { externalId: 'never-seen', email: huda.email } },
    { customer: { email: reem.email } },
    { customer: { phone: reem.phone } },
    { customer: { email: 'ill-formed', phone: '55512345678' } },
    { senderId: 'cus_reem' },
    { senderId: 'cus_reem', customerId: 'cus_1' },
  ];

  const refusing = openRoom([huda, reem]);
  it.each(others)('is not found for %j, and no model is called', async (body) => {
    const room = await refusing;
    const before = model.calls.length;
    expect((await room.ask(body)).events).toEqual([{ type: 'error', error: 'Conversation not found.' }]);
    expect(model.calls.length).toBe(before);
    const { customers, conversation, messages } = await messagingOf(room);
    expect(customers).toEqual([huda, reem]);
    expect(conversation('conv_1').customerId).toBe('cus_1');
    expect(messages.filter(({ inReplyTo }: Event) => inReplyTo)).toEqual([]);
  });

  const own = [
    {},
    { customerId: 'cus_1', customer: { externalId: 'crm-2' } },
    { customer: { externalId: 'crm-1' } },
    { customer: { email: ' HUDA@example.com ', phone: reem.phone } },
    { senderId: 'visitor 7' },
    { customerId: 'cus_1' },
    { customer: { name: 'Reem' } },
    { senderId: 'cus_1' },
    { senderId: 'mem_1' },
  ];
  it.each(someOf(own, 5))('is answered for %j', async (body) => {
    const room = await openRoom([huda, reem]);
    expect((await room.ask(body)).end).toMatchObject({ type: 'done' });
    expect((await messagingOf(room)).customers).toEqual([huda, reem]);
  });

  it('is not found for another customer, even when the agent is missing or the reply is stored', async () => {
    const room = await openRoom([huda, reem]);
    expect((await room.ask()).end).toMatchObject({ type: 'done' });
    for (const body of [{ customerId: 'cus_reem' }, { customerId: 'cus_reem', agentId: 'nobody' }]) {
      expect((await room.ask(body)).events).toEqual([{ type: 'error', error: 'Conversation not found.' }]);
    }
  });
});

describe('a website', () => {
  const spellings = ['https://WWW.Saffron.example:8443/menu?x=1', 'saffron.example', 'saffron.example.'];
  it.each(someOf(spellings, 1))('is found as %s', async (channelIdentifier) => {
    const room = await openRoom();
    const { channels, conversation, messages } = await askAs(room, { channelId: null, channelIdentifier });
    expect(channels).toHaveLength(2);
    expect(conversation('conv_bare').channelId).toBe('ch_1');
    expect(messages.find(({ inReplyTo }: Event) => inReplyTo)).toMatchObject({ channelId: 'ch_1' });
  });

  it('is created when it does not exist, and attached to the conversation', async () => {
    const room = await openRoom();
    const website = { channelId: null, channelIdentifier: 'http://Café.example/' };
    const { channels, conversation } = await askAs(room, website);
    const added = channels.find(({ id }: Event) => !['ch_1', 'ch_2'].includes(id));
    expect(added).toMatchObject({ type: 'website', identifier: 'xn--caf-dma.example' });
    expect(conversation('conv_bare').channelId).toBe(added.id);
    expect((await askAs(room, { ...website, channelIdentifier: 'localhost' })).channels).toHaveLength(4);
  });

  it('is created one time by eight parallel calls', async () => {
    const room = await openRoom();
    const calls = Array.from({ length: 8 }, () => askUntilAnswered(room, { ...bare, ...newWebsite }));
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

  it('is ignored beside the id of a channel', async () => {
    const room = await openRoom();
    const { channels } = await askAs(room, { channelId: 'ch_2', channelIdentifier: 'new.example' });
    expect(channels).toHaveLength(2);
  });
});

it('a new customer with a new website is exported and imported unchanged', async () => {
  const room = await openRoom();
  await askAs(room, newWebsite);
  const document = await exported(room.workspaceId);
  const { changed, warnings } = await load(document);
  expect({ changed, warnings: warnings.length }).toEqual({ changed: 0, warnings: 0 });
});
