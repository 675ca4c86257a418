import { ReadMarkView } from '#lib/conversations/schemas.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** lib/spec/additions.md section 3 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/conversations/{id}/read',
  summary: 'Mark a conversation as read up to a message.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session', 'visitor'],
  permissions: ['messaging:conversation:engage'],
  body: ReadMarkView,
  response: ReadMarkView,
  uses: ['table:read', 'table:update'],
});
