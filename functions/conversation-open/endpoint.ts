import * as z from 'zod/mini';
import { ConversationView, OpenConversation } from '#lib/conversations/schemas.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/conversations',
  summary: 'Find or create the open conversation of a customer on a channel.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['messaging:conversation:engage'],
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  body: OpenConversation,
  response: ConversationView,
  status: 201,
  uses: ['table:read', 'table:transact', 'table:remove'],
});
