import * as z from 'zod/mini';
import { isObject, type JsonObject, textOf } from '#lib/domain/json-object.ts';
import { Agent } from '#lib/domain/messaging/agent.ts';
import { Attachment } from '#lib/domain/messaging/attachment.ts';
import { Channel } from '#lib/domain/messaging/channel.ts';
import { Conversation } from '#lib/domain/messaging/conversation.ts';
import { Customer } from '#lib/domain/messaging/customer.ts';
import { Message } from '#lib/domain/messaging/message.ts';
import { created, createdAndUpdated, crud, defineKind, edits, reads } from './define-kind.ts';

const channel = defineKind({
  documentPath: ['messaging', 'channels'],
  schema: Channel,
  unique: 'identifier',
  references: [{ path: 'agentId', to: 'agent', mayBeAbsent: true }],
  events: { path: 'channels', actions: edits, read: ['messaging:channel:read'] },
  managed: {
    path: 'channels',
    noun: 'channel',
    label: { en: 'Channel', ar: 'قناة' },
    verbs: crud('messaging:channel:read', 'messaging:channel:manage'),
    hasHistory: true,
    idPrefix: 'ch_',
    searched: ['id', 'name', 'identifier'],
    words: { record: 'A channel as it is stored.', input: 'A channel to store.' },
  },
});

const customer = defineKind({
  documentPath: ['messaging', 'customers'],
  schema: Customer,
  events: { path: 'customers', actions: edits, read: ['messaging:customer:read'] },
  managed: {
    path: 'customers',
    noun: 'customer',
    label: { en: 'Customer', ar: 'عميل' },
    verbs: crud('messaging:customer:read', 'messaging:customer:manage'),
    idPrefix: 'cus_',
    searched: ['id', 'name', 'email', 'externalId'],
    words: {
      record: 'A customer as it is stored.',
      input: 'A customer to store. Missing properties are `null`.',
    },
  },
});

const agent = defineKind({
  documentPath: ['messaging', 'agents'],
  schema: Agent,
  hasLanguage: true,
  events: { path: 'agents', actions: edits, read: ['messaging:agent:read'] },
  managed: {
    path: 'agents',
    noun: 'agent',
    label: { en: 'Agent', ar: 'وكيل' },
    verbs: crud('messaging:agent:read', 'messaging:agent:manage'),
    hasHistory: true,
    idPrefix: 'agent_',
    words: {
      record: 'An agent as it is stored.',
      input: 'An agent to store. Missing properties get their defaults.',
    },
  },
});

/** The kind of a conversation's assignee. */
const assigneeKind = ({ assignee }: JsonObject): string => (isObject(assignee) ? textOf(assignee['type']) : '');

const conversation = defineKind({
  documentPath: ['messaging', 'conversations'],
  schema: z.partial(Conversation, { assignee: true, ...createdAndUpdated }),
  hasLanguage: true,
  references: [
    { path: 'parentId', to: 'conversation', mayBeRemoved: true },
    { path: 'channelId', to: 'channel', mayBeRemoved: true },
    { path: 'customerId', to: 'customer', mayBeRemoved: true },
    { path: 'assignee.id', to: assigneeKind, mayBeAbsent: true },
  ],
  events: { path: 'conversations', actions: edits, read: ['messaging:conversation:read'], ofKeyAlone: true },
});

/** The kind of a message's sender. A system has no record. */
const senderKind = ({ senderType }: JsonObject): string => (senderType === 'system' ? '' : textOf(senderType));

const message = defineKind({
  documentPath: ['messaging', 'messages'],
  schema: z.partial(Message, created),
  references: [
    { path: 'conversationId', to: 'conversation', mayBeRemoved: true },
    // A channel without conversations can be deleted, although replies may still refer to it.
    { path: 'channelId', to: 'channel', mayBeAbsent: true },
    { path: 'senderId', to: senderKind, mayBeAbsent: true },
    { path: 'attachments[]', to: 'attachment', mayBeAbsent: true },
    { path: 'inReplyTo', to: 'message', mayBeAbsent: true },
  ],
  events: { path: 'messages', actions: ['created'], read: ['messaging:conversation:read'], ofKeyAlone: true },
});

const attachment = defineKind({
  documentPath: ['attachments'],
  schema: z.partial(Attachment, created),
  unique: 's3Key',
  managed: {
    path: 'attachments',
    noun: 'attachment',
    label: { en: 'File', ar: 'ملف' },
    verbs: {
      ...reads('messaging:conversation:read'),
      delete: { permissions: ['messaging:conversation:engage'] },
    },
    idPrefix: 'att_',
    order: 'newest',
    words: {
      record:
        'A file as it is stored. Its bytes are at its `s3Key`. A text may have a `charset`, as its sender declared it.',
    },
  },
});

export const messagingKinds = { channel, customer, agent, conversation, message, attachment };
