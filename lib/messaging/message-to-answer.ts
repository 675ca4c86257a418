import { firstOf } from '#lib/domain/first-of.ts';
import type { Message } from '#lib/domain/messaging/conversation.ts';
import type { Messages } from '#lib/table/messaging/messages.ts';

/** The maximum number of messages in a prompt, including the answered one. */
export const historyMessagesMax = 20;

export interface MessageToAnswer {
  readonly message: Message;
  /** The answered message and those before it, newest first. */
  readonly history: readonly Message[];
  /** The agent's existing reply, if any. */
  readonly reply: Message | undefined;
}

/** Selects a message by id, or else the newest of a customer or member (lib/spec/decisions.md section 7). */
export interface MessageToAnswerId {
  readonly conversationId: string;
  readonly agentId: string;
  readonly lastMessageId?: string | undefined;
}

/** @returns undefined if the conversation has no message with this id */
export async function findMessageToAnswer(
  messages: Messages,
  wanted: MessageToAnswerId,
): Promise<MessageToAnswer | undefined> {
  const { conversationId, agentId, lastMessageId } = wanted;
  const newest = await warmMessageToAnswer(messages, wanted);
  const message =
    lastMessageId === undefined
      ? (newest.find(isOfPerson) ?? (await first(messages.backwards(conversationId), isOfPerson)))
      : (newest.find(({ id }) => id === lastMessageId) ?? (await messages.find(conversationId, lastMessageId)));
  if (!message) return undefined;

  const position = newest.findIndex(({ id }) => id === message.id);
  const hasAllMessages = newest.length < historyMessagesMax;
  const history =
    position === 0 || (position > 0 && hasAllMessages)
      ? newest.slice(position)
      : await firstOf(historyMessagesMax, messages.backwards(conversationId, message));
  const isReply = isReplyOf(agentId, message);
  const storedReply = [...newest, ...history].find(isReply);
  const reply = storedReply ?? (position === -1 ? await first(messages.since(message), isReply) : undefined);
  return { message, history, reply };
}

/** The first reads of `findMessageToAnswer`. */
export const warmMessageToAnswer = (
  messages: Messages,
  { conversationId, lastMessageId }: Omit<MessageToAnswerId, 'agentId'>,
): Promise<Message[]> => {
  if (lastMessageId !== undefined) messages.prefetchPointer(lastMessageId);
  return messages.newest(conversationId, historyMessagesMax);
};

const isOfPerson = ({ senderType }: Message): boolean => senderType === 'customer' || senderType === 'member';

const isReplyOf =
  (agentId: string, answered: Message) =>
  ({ senderType, senderId, inReplyTo }: Message): boolean =>
    senderType === 'agent' && senderId === agentId && inReplyTo === answered.id;

async function first(
  messages: AsyncGenerator<Message>,
  isWanted: (message: Message) => boolean,
): Promise<Message | undefined> {
  for await (const message of messages) if (isWanted(message)) return message;
  return undefined;
}
