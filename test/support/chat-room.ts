import { createParser } from 'eventsource-parser';
import { type Answer, call } from './call.ts';
import { newWorkspaceId } from './every-kind.ts';
import { type Document, storeWorkspace } from './world.ts';

/** A workspace with conversations and agents. All of them have the same ids. */
export interface ChatRoom {
  readonly workspaceId: string;
  /** The secret of a key that may request replies. */
  readonly key: string;
  readonly document: Document;
  /** Requests a reply, by default of the agent `agent_1` in `conv_1`. */
  ask(body?: object): Promise<Reply>;
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its event.
export type Event = any;

export interface Reply extends Answer {
  readonly events: readonly Event[];
  readonly end: Event;
}

export const streamPath = 'POST /api/v1/connect/ai-stream';

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

/** Imports a new room; `change` may first alter its document. */
export async function openChatRoom(change: (document: Document) => void = () => undefined): Promise<ChatRoom> {
  const workspaceId = newWorkspaceId();
  const key = `desk-${workspaceId}`;
  const document: Document = {
    version: 1,
    workspace: { id: workspaceId, name: 'Saffron', languages: ['en', 'ar'], defaultLanguage: 'en', currency: 'SAR' },
    members: [
      { id: 'mem_1', name: 'Lina', permissions: [engage] },
      { id: 'mem_2', name: 'Omar', permissions: [] },
    ],
    apiKeys: [
      { id: 'key_desk', name: 'Desk', secret: key, memberId: 'mem_1', permissions: [engage] },
      { id: 'key_none', name: 'None', secret: `none-${workspaceId}`, permissions: ['cms:entry:read'] },
      { id: 'key_alone', name: 'Alone', secret: `alone-${workspaceId}`, permissions: [engage] },
      { id: 'key_weak', name: 'Weak', secret: `weak-${workspaceId}`, memberId: 'mem_2', permissions: [engage] },
    ],
    messaging: {
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
    },
  };
  change(document);
  await storeWorkspace(document);
  return { workspaceId, key, document, ask: (body = {}) => ask(key, body) };
}

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
