import type { Message } from '#lib/domain/message.ts';
import type { Messages } from '#lib/table/messages.ts';

/** How many messages a model is told, with the one it answers. */
export const historyMessagesMax = 20;

/** The message that a reply answers, with what was said around it. */
export interface Answered {
  readonly message: Message;
  /** Newest first, the message answered and those before it. */
  readonly history: readonly Message[];
  /** The agent's reply to it, if there is one. */
  readonly reply: Message | undefined;
}

/** Which message is meant: one by its id, or the newest of a customer or member (lib/spec/decisions.md section 7). */
export interface AnsweredId {
  readonly conversationId: string;
  readonly agentId: string;
  readonly lastMessageId?: string | undefined;
}

/** @returns nothing when there is no such message in the conversation */
export async function findAnswered(messages: Messages, wanted: AnsweredId): Promise<Answered | undefined> {
  const { conversationId, agentId, lastMessageId } = wanted;
  if (lastMessageId !== undefined) messages.prefetchPlace(lastMessageId);
  const newest = await messages.newest(conversationId, historyMessagesMax);
  const message =
    lastMessageId === undefined
      ? (newest.find(isOfPerson) ?? (await first(messages.backwards(conversationId), isOfPerson)))
      : (newest.find(({ id }) => id === lastMessageId) ?? (await messages.find(conversationId, lastMessageId)));
  if (!message) return undefined;

  const place = newest.findIndex(({ id }) => id === message.id);
  const isAllHere = newest.length < historyMessagesMax;
  const history =
    place === 0 || (place > 0 && isAllHere)
      ? newest.slice(place)
      : await take(historyMessagesMax, messages.backwards(conversationId, message));
  const isReply = isReplyOf(agentId, message);
  const known = [...newest, ...history].find(isReply);
  const reply = known ?? (place === -1 ? await first(messages.since(message), isReply) : undefined);
  return { message, history, reply };
}

const isOfPerson = ({ senderType }: Message): boolean => senderType === 'customer' || senderType === 'member';

const isReplyOf =
  (agentId: string, answered: Message) =>
  ({ senderType, senderId, inReplyTo }: Message): boolean =>
    senderType === 'agent' && senderId === agentId && inReplyTo === answered.id;

async function take(count: number, messages: AsyncGenerator<Message>): Promise<Message[]> {
  const taken: Message[] = [];
  for await (const message of messages) {
    taken.push(message);
    if (taken.length === count) break;
  }
  return taken;
}

async function first(
  messages: AsyncGenerator<Message>,
  isWanted: (message: Message) => boolean,
): Promise<Message | undefined> {
  for await (const message of messages) if (isWanted(message)) return message;
  return undefined;
}
