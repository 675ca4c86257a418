import * as z from 'zod/mini';
import { IssuedApiKey } from '#lib/access/key-view.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/api-keys',
  summary: 'Create an API key. Only this response contains its secret.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['access:key:read', 'access:key:manage'],
  keyMember: 'counts',
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: IssuedApiKey,
  status: 201,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});
