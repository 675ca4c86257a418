import * as z from 'zod/mini';
import { ConversationView } from '#lib/conversations/schemas.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forConversations } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/connect/conversations/{id}',
  summary: 'Get a conversation.',
  ...forConversations,
  permissions: ['messaging:conversation:read'],
  headers: z.object({ 'If-None-Match': headerText() }),
  response: ConversationView,
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: 'Returns a conversation: its channel, customer, status and assignee.',
  path: { id: 'The id of the conversation.' },
  success: {
    description: 'The conversation.',
    headers: {
      etag: {
        description: 'The version of the conversation, for `If-Match`. Messages and read marks do not change it.',
      },
    },
  },
  examples: [{ name: 'conversation', summary: 'A conversation', key: 'desk', path: { id: 'conv_nakheel' } }],
});
