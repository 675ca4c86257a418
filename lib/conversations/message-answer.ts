import type * as z from 'zod/mini';
import { assetBaseUrl } from '#lib/attachments/settings.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { isObject } from '#lib/domain/input.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { assetUrl } from '#lib/domain/messaging/attachment-key.ts';
import type { Message } from '#lib/domain/messaging/conversation.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import { Conversations } from '#lib/table/messaging/conversations.ts';
import { Messages } from '#lib/table/messaging/messages.ts';
import type { Table } from '#lib/table/table.ts';
import type { MessageView } from './schemas.ts';

export type ShownMessage = z.input<typeof MessageView>;

/** A message with its files in place of their ids; a file that was deleted is left out. */
export function messageAnswer(message: Message, files: ReadonlyMap<string, Attachment>): ShownMessage {
  const attachments = message.attachments.flatMap((id) => {
    const file = files.get(id);
    return file ? [fileAnswer(file)] : [];
  });
  // Citations from an import can be any JSON value.
  return { ...message, attachments, citations: message.citations?.filter(isObject) };
}

/** A stored message of a conversation. Those of a removed conversation go after it, and are found no more. */
export async function findMessage(
  table: Table,
  principal: Principal,
  conversationId: string,
  id: string,
): Promise<ShownMessage | undefined> {
  const [conversation, message] = await Promise.all([
    new Conversations(table, principal).find(conversationId),
    new Messages(table, principal).find(conversationId, id),
  ]);
  if (!conversation || !message) return undefined;
  const attachments = new Attachments(table, principal);
  const files = await Promise.all(message.attachments.map((file) => attachments.find(file)));
  return messageAnswer(message, new Map(files.flatMap((file) => (file ? [[file.id, file] as const] : []))));
}

/** The properties of a message that a visitor sees (lib/spec/additions.md section 4). */
export function messageForCaller(principal: Principal, message: ShownMessage): ShownMessage {
  if (!principal.visitor) return message;
  const { id, conversationId, senderType, senderId, text, attachments, createdAt, inReplyTo } = message;
  const shown = { id, conversationId, senderType, senderId, text, attachments, createdAt };
  return { ...shown, ...(inReplyTo !== undefined && { inReplyTo }) };
}

const fileAnswer = ({ id, name, type, size, s3Key }: Attachment) => ({
  id,
  name,
  type,
  size,
  s3Key,
  url: assetUrl(assetBaseUrl(), s3Key),
});
