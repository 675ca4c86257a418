import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['DELETE'],
  path: '/api/v1/manage/members/{id}',
  summary: 'Delete a member.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['access:member:manage'],
  keyMember: 'counts',
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  response: z.unknown(),
  status: 204,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});
