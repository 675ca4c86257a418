import * as z from 'zod/mini';
import { MessagePage, messageParameters } from '#lib/conversations/schemas.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/connect/conversations/{id}/messages',
  summary: 'List the messages of a conversation.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session', 'visitor'],
  permissions: ['messaging:conversation:read'],
  query: messageParameters,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: MessagePage,
  uses: ['table:read'],
});
