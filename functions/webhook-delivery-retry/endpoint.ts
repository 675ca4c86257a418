import { Delivery } from '#lib/domain/webhooks/delivery.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forManagement } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 5 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/webhooks/{id}/deliveries/{deliveryId}/retry',
  summary: 'Send a delivery again.',
  ...forManagement,
  permissions: ['webhooks:webhook:read', 'webhooks:webhook:manage'],
  response: Delivery,
  status: 202,
  uses: ['table:read', 'table:webhooks'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Sends a delivery at once, whatever its status. The caller needs every permission of the key of the webhook.',
  path: { id: 'The id of the webhook.', deliveryId: 'The id of the delivery.' },
  success: { description: 'The delivery, which is due now.' },
  refusals: ['conflict'],
});
