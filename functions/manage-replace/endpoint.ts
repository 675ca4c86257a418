import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import { kindsWith } from '#lib/manage/kinds.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['PUT'],
  path: '/api/v1/manage/{kind}/{id+}',
  summary: 'Create or replace a record.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: [],
  keyMember: 'counts',
  kinds: kindsWith('replace'),
  headers: z.object({
    'If-Match': headerText(),
    'If-None-Match': headerText(),
    'Idempotency-Key': idempotencyKey(),
  }),
  body: UncheckedRecordBody,
  response: z.looseObject({}),
  uses: ['table:read', 'table:update', 'table:rewrite', 'table:transact', 'table:remove'],
  // A change of a database may wait for updates by the earlier schema.
  lambda: { timeoutSeconds: 20 },
});
