import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forVisitors } from '#lib/http/presets.ts';
import { ReplyRequest } from '#lib/messaging/reply-request.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { schemaRef } from '#lib/openapi/json-schema.ts';

/** lib/spec/interface.md section 4.7; the events are those of section 6. */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/ai-stream',
  summary: 'Stream the reply of an AI agent to a message of a conversation.',
  ...forVisitors,
  permissions: ['messaging:conversation:engage'],
  body: ReplyRequest,
  bodyBytesMax: 65_536,
  response: z.string(),
  responseMode: 'streamed',
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'model:invoke'],
  lambda: { timeoutSeconds: 150 },
});

const reply = {
  type: 'string',
  contentMediaType: 'text/event-stream',
  description:
    'Each event is one `data:` line with a JSON object (`ReplyEvent`), then a blank line. The comment `: ping` follows after 10 seconds without an event.',
  contentSchema: schemaRef('ReplyEvent'),
};

const neededId = { minLength: 1, pattern: '\\S' };

const properties = {
  agentId: { description: 'The id of the agent that answers.', ...neededId },
  conversationId: { description: 'The id of the conversation, a main one or a sub-conversation.', ...neededId },
  channelId: {
    description: "The id of the reply's channel. Required only if neither the conversation nor the message has one.",
  },
  lastMessageId: {
    description: 'The id of the message to answer. By default, the newest message of a customer or member.',
  },
  senderId: {
    description:
      'The id of the person whom the reply is for. Required without `lastMessageId`; with it, the sender of that message.',
  },
  customerId: { description: "The id of the conversation's customer. With it, `customer` is ignored." },
  customer: {
    description:
      "The conversation's customer, used only if the conversation has none. The customer is found or created by `externalId`, else a well-formed `email`, else a `phone` of at least 5 digits. Each string has at most 200 characters.",
  },
  channelIdentifier: {
    description:
      "The host name of a website, such as `menu.example.com`. Scheme, port, path and a leading `www.` are ignored. Without `channelId`, the website's channel is used, and created if it does not exist.",
  },
};

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: [
    'Streams the reply of an AI agent to a message of a conversation. The message is `lastMessageId`, else the newest one of a customer or member. The reply is stored as a message before `done` is sent.',
    "Errors that depend on the workspace's data, such as a missing conversation, have status 200 and one `error` event.",
    'Each message gets one reply per agent: a repeated or concurrent request gets the same reply and `messageId`. A closed connection does not stop the reply. Repeat the request to get it.',
    "A deployment may limit a workspace's tokens per day (UTC). Above the limit, a new reply fails with the `error` event `This workspace has used up its AI replies for today.`.",
    '`senderId` is required without `lastMessageId`. `channelId` is required only if neither the conversation nor the message has a channel. A conversation without a customer gets that of `customerId` or `customer` (matched by `externalId`, then `email`, then `phone`). Any conversation gets the channel of `channelIdentifier`, the host name of a website.',
    "A visitor's token allows only replies of its own agent in its own conversation, with its own `customerId` as `senderId`. Another conversation is 404, any other difference 403.",
    'Take `conversationId` from your own session of the visitor, never from the browser: the model reads that conversation. If the request names another customer than the conversation has, the `error` event is `Conversation not found.`. Show a reply as text, never as HTML.',
  ].join('\n\n'),
  body: { description: 'The agent, and the message to answer. `null` and blank ids count as absent.', properties },
  success: {
    description: 'The events of the reply.',
    headers: {
      'cache-control': { description: 'Always `no-cache, no-transform`.' },
      'x-accel-buffering': { description: 'Always `no`, so that a proxy forwards each event without delay.' },
    },
    content: { 'text/event-stream': reply },
  },
  refusals: ['validation_failed', 'not_found'],
  examples: [
    {
      name: 'price',
      summary: 'Answer a question about a price',
      key: 'desk',
      body: { agentId: 'agent_saffron', conversationId: 'conv_huda', lastMessageId: 'msg_01' },
    },
  ],
});
