import * as z from 'zod/mini';
import { ConversationView, OpenConversation } from '#lib/conversations/schemas.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { forConversations } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/conversations',
  summary: 'Find or create the open conversation of a customer on a channel.',
  ...forConversations,
  permissions: ['messaging:conversation:engage'],
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  body: OpenConversation,
  response: ConversationView,
  status: 201,
  uses: ['table:read', 'table:transact', 'table:remove'],
});

const etag = {
  description: 'The version of the conversation, for `If-Match`. Messages and read marks do not change it.',
};

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: [
    'Returns the unresolved main conversation of a customer on a channel (200), or creates it (201). If there are several, it returns the newest. Concurrent requests create only one conversation.',
    'With `parentId`, the request always creates a sub-conversation. `kind` is then required. Channel and customer default to those of the parent; another customer is 403.',
    '`customerId` names the customer. Without it, the customer is found by `externalId`, else a well-formed `email`, else a `phone` of at least 5 digits. If none is found, it is created.',
  ].join('\n\n'),
  headers: {
    'Idempotency-Key': 'A unique string for this request. A retry within 24 hours gets the first response.',
  },
  body: {
    description: 'The channel and the customer. `null` and blank ids count as absent.',
    properties: {
      channelId: { description: 'The id of the channel. Required without `channelIdentifier` and `parentId`.' },
      channelIdentifier: {
        description:
          'The host name of a website. Its channel is created if it does not exist. Ignored with `channelId`.',
      },
      customerId: { description: 'The id of the customer. Required without `customer` and `parentId`.' },
      customer: { description: 'Details that identify the customer. Ignored with `customerId`.' },
      language: { description: 'One of the languages of the workspace. Ignored for an existing conversation.' },
      kind: { description: 'The kind of a sub-conversation. Without `parentId`: `main` or absent.' },
      parentId: { description: 'The id of the main conversation of a sub-conversation.' },
    },
  },
  success: {
    description: 'The new conversation.',
    headers: { etag, location: { description: 'The path of the conversation.' } },
  },
  more: { 200: { description: 'The existing conversation.', headers: { etag } } },
  examples: [
    {
      name: 'open',
      summary: 'Open a conversation with a customer',
      key: 'desk',
      body: { channelId: 'ch_site', customerId: 'cus_huda' },
    },
  ],
});
