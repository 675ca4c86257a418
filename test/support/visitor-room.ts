import { type Answer, type Call, call } from './call.ts';
import { openTalkRoom, type TalkRoom } from './talk-room.ts';
import type { Document } from './world.ts';

const sessions = 'POST /api/v1/connect/visitor-sessions';
/** The host of the website of `ch_web`, where `agent_1` answers. */
export const website = 'shop.example.com';

export interface Visitor {
  readonly token: string;
  readonly conversationId: string;
  readonly customerId: string;
  readonly agentId: string | null;
}

/** A talk room with the visitors of a website. */
export interface VisitorRoom extends TalkRoom {
  session(body: object, options?: Call): Promise<Answer>;
  /** The session of a visitor of the website. */
  visit(customer?: object): Promise<Visitor>;
}

export async function openVisitorRoom(change: (document: Document) => void = () => undefined): Promise<VisitorRoom> {
  const room = await openTalkRoom((document) => {
    const { agents, channels } = document.messaging;
    channels.push({ id: 'ch_web', type: 'website', identifier: website, agentId: agents[0].id });
    change(document);
  });
  const session: VisitorRoom['session'] = (body, options) => call(sessions, { key: room.key, body, ...options });
  const visit: VisitorRoom['visit'] = async (customer) => {
    const { status, json } = await session({ channelIdentifier: website, ...(customer && { customer }) });
    if (status !== 201) throw new Error(`No visitor session: ${JSON.stringify(json)}`);
    return json;
  };
  return { ...room, session, visit };
}
