import { Delivery } from '#lib/domain/webhooks/delivery.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forManagement } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 5 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/webhooks/{id}/test',
  summary: 'Send a test to a webhook.',
  ...forManagement,
  permissions: ['webhooks:webhook:read', 'webhooks:webhook:manage'],
  response: Delivery,
  status: 202,
  uses: ['table:read', 'table:webhooks'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Sends `webhook.test` to this webhook, once, whatever its types, also while it is disabled. Its `record` is the webhook.',
  path: { id: 'The id of the webhook.' },
  success: { description: 'The delivery, which is due now.' },
});
