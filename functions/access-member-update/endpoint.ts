import * as z from 'zod/mini';
import { Member } from '#lib/domain/access/member.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/manage/members/{id}',
  summary: 'Update a member.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['access:member:read', 'access:member:manage'],
  keyMember: 'counts',
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: Member,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});
