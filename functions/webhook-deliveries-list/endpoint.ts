import * as z from 'zod/mini';
import { Delivery, DeliveryStatus } from '#lib/domain/webhooks/delivery.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import { listParameters, recordPage } from '#lib/kinds/kind-endpoints.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 5 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/webhooks/{id}/deliveries',
  summary: 'List the deliveries of a webhook.',
  ...forManagement,
  permissions: ['webhooks:webhook:read'],
  query: z.object({
    status: z.optional(DeliveryStatus),
    limit: listParameters.shape.limit,
    cursor: listParameters.shape.cursor,
  }),
  headers: z.object({ 'If-None-Match': headerText() }),
  response: recordPage(Delivery),
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    'Lists the events that were sent to a webhook, or are to be sent, newest first, with the last ten attempts of each. Deliveries are kept for 30 days.',
    'A list by `status` may have short or empty pages before its end. It ends when `next` is `null`.',
  ].join('\n\n'),
  path: { id: 'The id of the webhook.' },
  query: {
    status: 'Only deliveries with this status. `failed`: no attempt is left. `parked`: the webhook is disabled.',
  },
  success: { description: 'A page of deliveries.' },
});
