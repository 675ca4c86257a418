import * as z from 'zod/mini';
import { ApiKeyView } from '#lib/access/key-view.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/manage/api-keys/{id}',
  summary: 'Update or revoke an API key.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['access:key:read', 'access:key:manage'],
  keyMember: 'counts',
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: ApiKeyView,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});
