import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { conversationEtag } from '#lib/table/messaging/conversations.ts';

export const conversationPath = (id: string): string => `/api/v1/connect/conversations/${encodeURIComponent(id)}`;

/** The strong ETag of a conversation. It covers the conversation's own properties, not its messages. */
export const tagOf = (conversation: Conversation): string => `"${conversationEtag(conversation)}"`;

export const conversationAnswer = (conversation: Conversation) => ({
  body: conversation,
  headers: { etag: tagOf(conversation) },
});
