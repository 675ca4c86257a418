import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import { kindsWith } from '#lib/manage/kinds.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/{kind}',
  summary: 'Create a record.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: [],
  keyMember: 'counts',
  kinds: kindsWith('create'),
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: z.looseObject({}),
  status: 201,
  uses: ['table:read', 'table:update', 'table:rewrite', 'table:transact', 'table:remove'],
  // A change of a database may wait for updates by the earlier schema.
  lambda: { timeoutSeconds: 20 },
});
