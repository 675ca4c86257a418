import type { CustomerChannel } from '#lib/domain/messaging/conversation.ts';
import { key, keys, own } from '../keys.ts';

/** Not `own`, so that no pattern of a role for these partitions also names a CMS database. No id contains `#`. */
const filesOf = (workspaceId: string, ...names: readonly string[]): string =>
  ['FILES', workspaceId, ...names].join('#');

/** The keys of conversations beside their records, with the access patterns. */
export const messagingKeys = {
  /** M1: the messages of a conversation in order of time; a pointer to each by its id is in W2 */
  messages: (workspaceId: string, conversationId: string) => own(workspaceId, 'messages', conversationId),
  message: (workspaceId: string, conversationId: string, createdAt: string, id: string) =>
    key(own(workspaceId, 'messages', conversationId), `${createdAt}#${id}`),

  /** M2: the run of an agent's reply to a message: its owner and its state */
  aiRuns: (workspaceId: string, conversationId: string) => own(workspaceId, 'ai-runs', conversationId),
  aiRun: (workspaceId: string, conversationId: string, agentId: string, messageId: string) =>
    key(own(workspaceId, 'ai-runs', conversationId), `${agentId}#${messageId}`),

  /** M3: the customers with an external id, e-mail address or phone number; several may share the hash of one */
  customersOf: (workspaceId: string, identity: string) => ({
    pk: keys.slugs(workspaceId, 'customer'),
    from: `${identity}#`,
    to: `${identity}#~`,
  }),

  /** M3a: the idempotency records with a customer, by their hashes */
  answersAbout: (workspaceId: string, customerId: string) => ({
    pk: keys.slugs(workspaceId, 'customer'),
    from: `answer#${customerId}#`,
    to: `answer#${customerId}#~`,
  }),
  answerAbout: (workspaceId: string, customerId: string, hash: string) =>
    keys.slug(workspaceId, 'customer', `answer#${customerId}#${hash}`),

  /** M4: the last change of such an identity, so that concurrent changes conflict */
  customerChange: (workspaceId: string, identity: string) => key(own(workspaceId, 'customer-changes'), identity),

  /**
   * M5: the tokens that replies used on a day in UTC, as `2026-11-20`, and the reservations of replies in progress: of
   * all replies, and of those to one visitor
   */
  aiTokens: (workspaceId: string, day: string, visitorId = '') =>
    key(own(workspaceId, 'ai-tokens'), visitorId === '' ? day : `${day}#${visitorId}`),

  /** M6: the conversations of a workspace by activity, newest last; each message moves one */
  conversationRows: (workspaceId: string) => own(workspaceId, 'conversations'),
  conversationRow: (workspaceId: string, activeAt: string, id: string) =>
    key(own(workspaceId, 'conversations'), `${activeAt}#${id}`),

  /** M7: the unresolved main conversations of a customer on a channel, newest last */
  openConversations: (workspaceId: string, { channelId, customerId }: CustomerChannel) =>
    own(workspaceId, 'open-conversations', channelId, customerId),
  openConversation: (workspaceId: string, on: CustomerChannel, createdAt: string, id: string) =>
    key(messagingKeys.openConversations(workspaceId, on), `${createdAt}#${id}`),

  /** M8: the last creation of such a conversation, so that concurrent creations conflict */
  openConversationChange: (workspaceId: string, { channelId, customerId }: CustomerChannel) =>
    key(own(workspaceId, 'open-conversation-changes'), `${channelId}#${customerId}`),

  /** M9: the last message that a member, or a customer, has read in each conversation */
  readMark: (workspaceId: string, reader: { readonly type: string; readonly id: string }, conversationId: string) =>
    key(own(workspaceId, 'read-marks', reader.type, reader.id), conversationId),

  /**
   * M10: what visitors of a conversation have: the files that they have uploaded, the hashes of their tokens, and those
   * of the idempotency records with files
   */
  ofVisitors: (workspaceId: string, conversationId: string) => filesOf(workspaceId, conversationId),
  uploadedFile: (workspaceId: string, conversationId: string, attachmentId: string) =>
    key(filesOf(workspaceId, conversationId), `uploaded#${attachmentId}`),
  tokenOf: (workspaceId: string, conversationId: string, tokenHash: string) =>
    key(filesOf(workspaceId, conversationId), `token#${tokenHash}`),
  answerTo: (workspaceId: string, conversationId: string, hash: string) =>
    key(filesOf(workspaceId, conversationId), `answer#${hash}`),

  /** M11: the conversations whose messages name a file */
  namesOfFile: (workspaceId: string, attachmentId: string) => filesOf(workspaceId, 'named', attachmentId),
  namedFile: (workspaceId: string, conversationId: string, attachmentId: string) =>
    key(filesOf(workspaceId, 'named', attachmentId), conversationId),
} as const;
