import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { conversationEtag } from '#lib/table/messaging/conversations.ts';

/** The path of a conversation. */
export const conversationPath = (id: string): string => `/api/v1/connect/conversations/${encodeURIComponent(id)}`;

/** The strong tag of a conversation: of its own members, whatever is written in it. */
export const tagOf = (conversation: Conversation): string => `"${conversationEtag(conversation)}"`;

/** A conversation as POST, GET and PATCH answer it. */
export const conversationAnswer = (conversation: Conversation) => ({
  body: conversation,
  headers: { etag: tagOf(conversation) },
});
