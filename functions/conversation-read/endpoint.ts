import * as z from 'zod/mini';
import { requiredId } from '#lib/domain/messaging/participants.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forVisitors } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** The body and the answer. */
const ReadMarkView = z.strictObject({ messageId: requiredId });

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/conversations/{id}/read',
  summary: 'Mark a conversation as read up to a message.',
  ...forVisitors,
  permissions: ['messaging:conversation:engage'],
  body: ReadMarkView,
  response: ReadMarkView,
  uses: ['table:read', 'table:update'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: 'Marks a conversation as read up to a message. The mark belongs to the member of the key, or to the visitor. It only moves forward. The response contains its current position.',
  path: { id: 'The id of the conversation.' },
  body: {
    description: 'The last message that was read.',
    properties: { messageId: { description: 'The id of a message of the conversation.' } },
  },
  success: { description: 'The current mark.' },
  refusals: ['validation_failed'],
  examples: [
    {
      name: 'read',
      summary: 'Mark a conversation as read',
      key: 'desk',
      path: { id: 'conv_huda' },
      body: { messageId: 'msg_01' },
    },
  ],
});
