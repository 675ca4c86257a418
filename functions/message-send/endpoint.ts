import * as z from 'zod/mini';
import { MessageView, SendMessage } from '#lib/conversations/schemas.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/conversations/{id}/messages',
  summary: 'Send a message to a conversation.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session', 'visitor'],
  permissions: ['messaging:conversation:engage'],
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  body: SendMessage,
  response: MessageView,
  status: 201,
  // The first reference to a directly uploaded file stores its record.
  uses: ['table:read', 'table:transact', 'table:remove', 'table:uploads', 'files:read'],
});
