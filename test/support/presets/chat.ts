import { createParser } from 'eventsource-parser';
import type { Answer, Call } from '../call.ts';
import { call, preset } from './preset.ts';

const read = 'messaging:conversation:read';
const engage = 'messaging:conversation:engage';
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 9, minute)).toISOString();

export const message = (id: string, minute: number, rest: object = {}): object => ({
  id,
  conversationId: 'conv_1',
  senderType: 'customer',
  senderId: 'cus_1',
  text: `This is ${id}.`,
  createdAt: at(minute),
  ...rest,
});

/** Conversations and agents, whose replies `ask` requests. */
export const chat = preset({
  keys: {
    desk: { memberId: 'mem_1', permissions: [engage] },
    none: { permissions: ['cms:entry:read'] },
    /** Has no member. */
    alone: { permissions: [engage] },
    /** Belongs to a member without permissions. */
    weak: { memberId: 'mem_2', permissions: [engage] },
  },
  fill: (document) => {
    document.workspace.name = 'Saffron';
    document.members.push(
      { id: 'mem_1', name: 'Lina', permissions: [engage] },
      { id: 'mem_2', name: 'Omar', permissions: [] },
    );
    document.messaging = messaging();
  },
  calls: ({ keys: { desk } }) => chatCalls(desk),
});

const chatCalls = (key: string) => ({
  /** The key of the calls. */
  key,
  /** Requests a reply, by default of the agent `agent_1` in `conv_1`. */
  ask: (body: object = {}) => ask(key, body),
});

const messaging = () => ({
  channels: [
    { id: 'ch_1', type: 'website', identifier: 'saffron.example' },
    { id: 'ch_2', type: 'whatsapp', identifier: '+966500000000' },
  ],
  customers: [{ id: 'cus_1', externalId: 'crm-1', name: 'Huda', email: 'huda@example.com', phone: null }],
  agents: [
    { id: 'agent_1', name: 'Assistant', model: 'openai/test', instructions: 'Be brief.' },
    { id: 'agent_2', name: 'Other', model: 'openai/test' },
    { id: 'agent_off', name: 'Off', enabled: false, model: 'openai/test' },
  ],
  conversations: [
    { id: 'conv_1', channelId: 'ch_1', customerId: 'cus_1' },
    { id: 'conv_bare' },
    { id: 'conv_empty', channelId: 'ch_1' },
  ],
  messages: [
    message('msg_1', 1),
    message('msg_2', 2, { senderType: 'member', senderId: 'mem_1' }),
    message('msg_3', 3),
    message('msg_bare', 4, { conversationId: 'conv_bare', senderId: null }),
  ],
});

export const conversations = '/api/v1/connect/conversations';

const permissions = [read, engage];

/** The chat for the routes of conversations, whose key belongs to `mem_1`. */
export const talk = preset({
  keys: {
    ...chat.keys,
    desk: { memberId: 'mem_1', permissions },
    /** May only read. */
    reader: { memberId: 'mem_1', permissions: [read] },
    /** Belongs to `mem_3`. */
    other: { memberId: 'mem_3', permissions },
  },
  fill: (document, canary) => {
    chat.fill(document, canary);
    document.members[0].permissions = permissions;
    document.members.push(
      { id: 'mem_3', name: 'Reem', permissions },
      { id: 'mem_gone', name: 'Gone', active: false, permissions },
    );
    document.messaging.customers.push({ id: 'cus_2', externalId: 'crm-2', name: 'Omar' });
    document.attachments = [1, 2].map((number) => ({
      id: `att_${number}`,
      name: `menu ${number}.pdf`,
      s3Key: `workspaces/${document.workspace.id}/drive/messaging/2026-01/att_${number}/menu.pdf`,
      type: 'application/pdf',
      size: 10 * number,
      createdAt: '2026-01-01T00:00:00.000Z',
    }));
  },
  calls: ({ keys: { desk } }) => talkCalls(desk),
});

type Headers = Readonly<Record<string, string>>;

function talkCalls(key: string) {
  const send = (method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> =>
    call(`${method} ${conversations}${path}`, { key, headers, ...(body !== undefined && { body }) });
  return {
    ...chatCalls(key),
    send,
    open: (body: object, headers?: Headers) => send('POST', '', body, headers),
    say: (conversationId: string, body: object, headers?: Headers) =>
      send('POST', `/${conversationId}/messages`, body, headers),
  };
}

/** The host of the website of `ch_web`, where `agent_1` answers. */
export const website = 'shop.example.com';

export interface Visitor {
  readonly token: string;
  readonly conversationId: string;
  readonly customerId: string;
  readonly agentId: string | null;
}

/** The conversations with a website, and its visitors. */
export const visitors = preset({
  keys: talk.keys,
  fill: (document, canary) => {
    talk.fill(document, canary);
    const { agents, channels } = document.messaging;
    channels.push({ id: 'ch_web', type: 'website', identifier: website, agentId: agents[0].id });
  },
  calls: ({ keys: { desk } }) => {
    const session = (body: object, options?: Call): Promise<Answer> =>
      call('POST /api/v1/connect/visitor-sessions', { key: desk, body, ...options });
    /** The session of a visitor of the website. */
    const visit = async (customer?: object): Promise<Visitor> => {
      const { status, json } = await session({ channelIdentifier: website, ...(customer && { customer }) });
      if (status !== 201) throw new Error(`No visitor session: ${JSON.stringify(json)}`);
      return json;
    };
    return { ...talkCalls(desk), session, visit };
  },
});

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its event.
export type Event = any;

export interface Reply extends Answer {
  readonly events: readonly Event[];
  readonly end: Event;
}

export const streamPath = 'POST /api/v1/connect/ai-stream';

export async function ask(key: string, body: object): Promise<Reply> {
  const wanted = { agentId: 'agent_1', conversationId: 'conv_1', lastMessageId: 'msg_3', ...body };
  const answer = await call(streamPath, { key, body: wanted });
  const events = answer.status === 200 ? eventsOf(answer.text) : [];
  return { ...answer, events, end: events.at(-1) };
}

export function eventsOf(text: string): Event[] {
  const events: Event[] = [];
  createParser({ onEvent: ({ data }) => events.push(JSON.parse(data)) }).feed(text);
  return events;
}
