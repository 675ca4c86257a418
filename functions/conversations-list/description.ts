import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: [
    'Lists conversations by their last activity, newest first: the time of the newest message, or else of the conversation itself. Filters are joined by AND.',
    'Pass `next` as `cursor` to get the next page; it is null on the last one. A conversation that becomes active while you walk may be missed, every other one comes exactly once. With a filter that few conversations pass, a page may be shorter than `limit` although others follow.',
    '`lastMessage` is the beginning of the newest message, at most 120 characters: null without messages, empty for files alone. `unreadCount` counts the messages of customers after the mark of the member that the key belongs to.',
  ].join('\n\n'),
  path: {},
  query: {
    status: 'Conversations of this status.',
    channelId: 'Conversations of this channel.',
    customerId: 'Conversations with this customer.',
    assigneeId: 'Conversations of this agent or member.',
    assigneeType: 'Conversations with an agent, a member, or no assignee.',
    kind: 'Conversations of this kind.',
    parentId: 'Sub-conversations of this conversation.',
    unread: 'Conversations with unread messages of customers, or without any.',
    limit: 'How many conversations a page has at most.',
    cursor: 'The `next` of the page before, with the same filters.',
  },
  headers: { 'If-None-Match': 'The `ETag` of an answer to the same call.' },
  success: { description: 'A page of conversations.' },
  refusals: [],
  examples: [{ name: 'snoozed', summary: 'Conversations that are snoozed', key: 'desk', query: { status: 'snoozed' } }],
});
