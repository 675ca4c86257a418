import * as z from 'zod/mini';
import { Conversation, ConversationKind, ConversationStatus } from '#lib/domain/messaging/conversation.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forConversations } from '#lib/http/presets.ts';
import { flag, wholeNumber } from '#lib/http/query-parameters.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** A conversation in a list. */
const ConversationListView = z.object({
  ...Conversation.shape,
  lastMessageAt: z.nullable(z.string()),
  lastMessage: z.nullable(z.string()),
  unreadCount: z.number(),
});

const ConversationPage = z.object({ data: z.array(ConversationListView), next: z.nullable(z.string()) });

/** The parameters of GET conversations. */
const listParameters = z.object({
  status: z.optional(ConversationStatus),
  channelId: z.optional(z.string()),
  customerId: z.optional(z.string()),
  assigneeId: z.optional(z.string()),
  assigneeType: z.optional(z.enum(['agent', 'member', 'none'])),
  kind: z.optional(ConversationKind),
  parentId: z.optional(z.string()),
  unread: z.optional(flag()),
  limit: z._default(z.optional(wholeNumber({ min: 1, max: 100 })), 20),
  cursor: z.optional(z.string()),
});

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/connect/conversations',
  summary: 'List conversations, newest activity first.',
  ...forConversations,
  permissions: ['messaging:conversation:read'],
  query: listParameters,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: ConversationPage,
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: [
    'Lists conversations by last activity, newest first. The activity is the time of the newest message, else of the conversation itself. All filters must match.',
    'Send `next` as `cursor` to get the next page; it is `null` on the last one. A conversation that becomes active in between may be missed; every other one occurs exactly once. If few conversations match a filter, a page before the end may be shorter than `limit`.',
    "`lastMessage` is the beginning of the newest message, at most 120 characters. It is `null` without messages, and empty for a message with only files. `unreadCount` is the number of customers' messages after the read mark of the key's member.",
  ].join('\n\n'),
  query: {
    status: 'Conversations of this status.',
    channelId: 'Conversations of this channel.',
    customerId: 'Conversations with this customer.',
    assigneeId: 'Conversations of this agent or member.',
    assigneeType: 'Conversations with an agent, a member, or no assignee.',
    kind: 'Conversations of this kind.',
    parentId: 'Sub-conversations of this conversation.',
    unread: 'Conversations with unread messages of customers, or without any.',
    cursor: 'The `next` of the previous page, with the same filters.',
  },
  success: { description: 'A page of conversations.' },
  examples: [{ name: 'snoozed', summary: 'Conversations that are snoozed', key: 'desk', query: { status: 'snoozed' } }],
});
