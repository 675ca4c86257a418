import * as z from 'zod/mini';
import { IssuedApiKey } from '#lib/access/key-view.ts';
import { graceSecondsMax } from '#lib/domain/access/key-secret.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';

const graceRule = `Must be from 0 to ${graceSecondsMax}, which are seven days.`;

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/api-keys/{id}/rotate',
  summary: 'Rotate the secret of an API key. Only this response contains the new secret.',
  keyIn: ['bearer', 'x-api-key'],
  callers: ['key', 'session'],
  permissions: ['access:key:read', 'access:key:manage'],
  keyMember: 'counts',
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  body: z.strictObject({
    graceSeconds: z._default(
      z.int('Must be a whole number.').check(z.minimum(0, graceRule), z.maximum(graceSecondsMax, graceRule)),
      0,
    ),
  }),
  response: IssuedApiKey,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});
