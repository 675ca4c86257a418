import { openVisitorRoom, type Visitor, type VisitorRoom } from '../../visitor-room.ts';

/** The conversations that clients write in; that of the visitor joins them. */
export const rooms = ['conv_r1', 'conv_r2', 'conv_r3'];
/** Customers who write nothing, and whose conversation on `doorChannel` is opened and resolved. */
export const doorCustomers = ['cus_d1', 'cus_d2'];
export const doorChannel = 'ch_2';
const agents = 400;

/** A workspace whose conversations clients open, write in, read and change. */
export interface TalkWorld {
  readonly room: VisitorRoom;
  /** Two members' keys. */
  readonly members: readonly { readonly id: string; readonly key: string }[];
  readonly visitor: Visitor;
  /** The conversations that are written in. */
  readonly conversations: readonly string[];
}

/** The agent of a number. Each is used for one assignment. */
export const agentOf = (number: number): string => `agent_n${number}`;
export const isAgent = (number: number): boolean => number < agents;

/** Opens the world; its conversations have no messages and no assignee. */
export async function openTalkWorld(): Promise<TalkWorld> {
  const room = await openVisitorRoom(({ messaging }) => {
    const customers = [...rooms.map((id) => id.replace('conv', 'cus')), ...doorCustomers];
    messaging.customers.push(...customers.map((id) => ({ id, externalId: `crm ${id}` })));
    messaging.conversations.push(
      ...rooms.map((id) => ({ id, channelId: 'ch_1', customerId: id.replace('conv', 'cus') })),
    );
    messaging.agents.push(
      ...Array.from({ length: agents }, (_, number) => ({ id: agentOf(number), name: 'Agent', model: 'openai/test' })),
    );
  });
  const visitor = await room.visit({ externalId: 'crm visitor' });
  const members = [
    { id: 'mem_1', key: room.key },
    { id: 'mem_3', key: room.other },
  ];
  return { room, members, visitor, conversations: [...rooms, visitor.conversationId] };
}
