import * as z from 'zod/mini';
import { ConversationView } from '#lib/conversations/schemas.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/connect/conversations/{id}',
  summary: 'Get a conversation.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['messaging:conversation:read'],
  headers: z.object({ 'If-None-Match': headerText() }),
  response: ConversationView,
  uses: ['table:read'],
});
