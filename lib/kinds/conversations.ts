import * as z from 'zod/mini';
import { isObject } from '#lib/domain/json-object.ts';
import { Conversation } from '#lib/domain/messaging/conversation.ts';
import { Message } from '#lib/domain/messaging/message.ts';
import { created, createdAndUpdated, defineKind, edits } from './define-kind.ts';

/** The kind of a conversation's assignee, or of a message's sender. A system has no record. */
const personKind = (type: unknown): string | undefined => ['agent', 'customer', 'member'].find((kind) => kind === type);

const conversation = defineKind({
  documentPath: ['messaging', 'conversations'],
  schema: z.partial(Conversation, { assignee: true, ...createdAndUpdated }),
  hasLanguage: true,
  references: [
    { path: 'parentId', to: 'conversation', mayBeRemoved: true },
    { path: 'channelId', to: 'channel', mayBeRemoved: true },
    { path: 'customerId', to: 'customer', mayBeRemoved: true },
    {
      path: 'assignee.id',
      to: ({ assignee }) => personKind(isObject(assignee) && assignee['type']),
      mayBeAbsent: true,
    },
  ],
  events: { path: 'conversations', actions: edits, read: ['messaging:conversation:read'], ofKeyAlone: true },
});

const message = defineKind({
  documentPath: ['messaging', 'messages'],
  schema: z.partial(Message, created),
  references: [
    { path: 'conversationId', to: 'conversation', mayBeRemoved: true },
    // A channel without conversations can be deleted, although replies may still refer to it.
    { path: 'channelId', to: 'channel', mayBeAbsent: true },
    { path: 'senderId', to: ({ senderType }) => personKind(senderType), mayBeAbsent: true },
    { path: 'attachments[]', to: 'attachment', mayBeAbsent: true },
    { path: 'inReplyTo', to: 'message', mayBeAbsent: true },
  ],
  events: { path: 'messages', actions: ['created'], read: ['messaging:conversation:read'], ofKeyAlone: true },
});

export const conversationKinds = { conversation, message };
