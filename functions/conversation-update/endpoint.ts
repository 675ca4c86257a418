import * as z from 'zod/mini';
import { ConversationChange, ConversationView } from '#lib/conversations/schemas.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/connect/conversations/{id}',
  summary: 'Update the status, language or assignee of a conversation.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['messaging:conversation:engage'],
  headers: z.object({ 'If-Match': headerText() }),
  body: ConversationChange,
  response: ConversationView,
  uses: ['table:read', 'table:transact', 'table:remove'],
});
