import * as z from 'zod/mini';
import { Rotation } from '#lib/domain/access/grace-seconds.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import { IssuedWebhook } from '#lib/kinds/webhooks.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { etagHeader, issuedHeaders } from '#lib/openapi/manage-texts.ts';

/** lib/spec/additions.md section 5 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/webhooks/{id}/rotate',
  summary: 'Rotate the secret of a webhook. Only this response contains the new secret.',
  ...forManagement,
  permissions: ['webhooks:webhook:read', 'webhooks:webhook:manage'],
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  body: Rotation,
  response: IssuedWebhook,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    'Replaces the secret of a webhook. Only this response contains the new `secret`, with `Cache-Control: no-store`. For `graceSeconds`, requests have a signature by the previous secret, too. A second rotation ends the first grace period.',
    "The caller needs every permission of the webhook's key.",
  ].join('\n\n'),
  path: { id: 'The id of the webhook.' },
  headers: issuedHeaders,
  body: {
    description: 'How long the previous secret also signs.',
    properties: {
      graceSeconds: { description: 'In seconds, up to seven days. With 0, the previous secret ends immediately.' },
    },
  },
  success: { description: 'The webhook with its new secret.', headers: etagHeader },
  examples: [
    {
      name: 'day',
      summary: 'Rotate with a grace period of one day',
      key: 'admin',
      path: { id: 'wh_till' },
      body: { graceSeconds: 86400 },
    },
  ],
});
