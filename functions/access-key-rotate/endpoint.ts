import * as z from 'zod/mini';
import { Rotation } from '#lib/domain/access/grace-seconds.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import { IssuedApiKey } from '#lib/kinds/access.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { etagHeader, issuedHeaders } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/api-keys/{id}/rotate',
  summary: 'Rotate the secret of an API key. Only this response contains the new secret.',
  ...forManagement,
  permissions: ['access:key:read', 'access:key:manage'],
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  body: Rotation,
  response: IssuedApiKey,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    'Replaces the secret of a key. Only this response contains the new `secret`, with `Cache-Control: no-store`. The previous secret stays valid for `graceSeconds`. A second rotation ends the first grace period.',
    'The caller needs every permission of the key. Rotation changes neither `revokedAt` nor `expiresAt`.',
  ].join('\n\n'),
  path: { id: 'The id of the key.' },
  headers: issuedHeaders,
  body: {
    description: 'How long the previous secret stays valid.',
    properties: {
      graceSeconds: { description: 'In seconds, up to seven days. With 0, the previous secret ends immediately.' },
    },
  },
  success: { description: 'The key with its new secret.', headers: etagHeader },
  examples: [
    {
      name: 'day',
      summary: 'Rotate with a grace period of one day',
      key: 'admin',
      path: { id: 'key_desk' },
      body: { graceSeconds: 86400 },
    },
  ],
});
