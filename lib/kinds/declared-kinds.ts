import * as z from 'zod/mini';
import { isObject } from '#lib/domain/input.ts';
import { Conversation, Message } from '#lib/domain/messaging/conversation.ts';
import { accessKinds } from './access.ts';
import { cmsKinds } from './cms.ts';
import { created, createdAndUpdated, defineKind, edits, type KindDeclaration } from './define-kind.ts';
import { formKinds, notificationKinds } from './forms.ts';
import { menuKinds } from './menu.ts';
import { messagingKinds } from './messaging.ts';
import { receivedKinds } from './received.ts';
import { cmsModel, workspace } from './schema.ts';
import { webhook } from './webhooks.ts';

// No function of management serves these two.

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

/**
 * The kinds of records of a workspace by their names in documents (lib/spec/workspace-document.md section 4), in the
 * order of exports. Import, export, lists, the API description and the client are made from them.
 */
export const declaredKinds = {
  workspace,
  ...accessKinds,
  cmsModel,
  ...cmsKinds,
  ...menuKinds,
  ...formKinds,
  ...messagingKinds,
  conversation,
  message,
  ...receivedKinds,
  ...notificationKinds,
  webhook,
} as const satisfies Readonly<Record<string, KindDeclaration>>;
