import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import { kindsWith } from '#lib/manage/kinds.ts';

/** lib/spec/additions.md section 2; a JSON Merge Patch (RFC 7396) in either media type. */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/manage/{kind}/{id+}',
  summary: 'Update a record (JSON Merge Patch).',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: [],
  keyMember: 'counts',
  kinds: kindsWith('update'),
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: z.looseObject({}),
  uses: ['table:read', 'table:update', 'table:rewrite', 'table:transact', 'table:remove'],
  // A change of a database may wait for updates by the earlier schema.
  lambda: { timeoutSeconds: 20 },
});
