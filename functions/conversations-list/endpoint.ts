import * as z from 'zod/mini';
import { ConversationPage, listParameters } from '#lib/conversations/schemas.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/connect/conversations',
  summary: 'List conversations, newest activity first.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['messaging:conversation:read'],
  query: listParameters,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: ConversationPage,
  uses: ['table:read'],
});
