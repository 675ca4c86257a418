import type { Visitor } from '../../presets/chat.ts';
import { openWorkspace, type Workspace } from '../../workspace.ts';

/** The conversations that clients write to; the visitor's conversation is added later. */
export const rooms = ['conv_r1', 'conv_r2', 'conv_r3'];
/** Customers without messages, whose conversation on `doorChannel` clients open and resolve. */
export const openingCustomers = ['cus_d1', 'cus_d2'];
export const openingChannel = 'ch_2';
/** The conversation that only imports write to. Each adds a message at the end. */
export const importedRoom = 'conv_imported';
/**
 * The number of earlier messages in `importedRoom` and each of `rooms`. Imports change the text of all but the last.
 */
export const earlierMessages = (conversationId: string) =>
  [0, 1, 2, 3].map((number) => ({
    id: `aged_${conversationId}_${number}`,
    conversationId,
    senderType: number === 3 ? 'member' : 'customer',
    senderId: number === 3 ? 'mem_1' : conversationId.replace('conv', 'cus'),
    text: `aged ${number}`,
    createdAt: `2026-01-01T09:0${number}:00.000Z`,
  }));
export const hasEarlierMessages = (conversationId: string): boolean =>
  [...rooms, importedRoom].includes(conversationId);
export const statuses = ['open', 'pending', 'snoozed', 'resolved'];
const agents = 400;

/** A workspace whose conversations clients open, read and change. */
export interface TalkWorld {
  readonly room: Workspace<'visitors'>;
  /** The keys of two members. */
  readonly members: readonly { readonly id: string; readonly key: string }[];
  readonly visitor: Visitor;
  /** The conversations that clients write to. */
  readonly conversations: readonly string[];
}

/** The agent with this number. Each is used for one assignment. */
export const agentOf = (number: number): string => `agent_n${number}`;
export const isAgent = (number: number): boolean => number < agents;

/** Opens the world. Its conversations have no assignee, and only the messages of `agedMessages`. */
export async function openTalkWorld(): Promise<TalkWorld> {
  const room = await openWorkspace('visitors', ({ messaging }) => {
    const customers = [...[...rooms, importedRoom].map((id) => id.replace('conv', 'cus')), ...openingCustomers];
    messaging.customers.push(...customers.map((id) => ({ id, externalId: `crm ${id}` })));
    messaging.conversations.push(
      ...rooms.map((id) => ({ id, channelId: 'ch_1', customerId: id.replace('conv', 'cus') })),
    );
    messaging.conversations.push({ id: importedRoom, channelId: 'ch_1' });
    messaging.messages.push(...[...rooms, importedRoom].flatMap(earlierMessages));
    messaging.agents.push(
      ...Array.from({ length: agents }, (_, number) => ({ id: agentOf(number), name: 'Agent', model: 'openai/test' })),
    );
  });
  const visitor = await room.visit({ externalId: 'crm visitor' });
  const members = [
    { id: 'mem_1', key: room.key },
    { id: 'mem_3', key: room.keys.other },
  ];
  return { room, members, visitor, conversations: [...rooms, visitor.conversationId] };
}
