import * as z from 'zod/mini';
import { utcTime } from '#lib/domain/text/utc-time.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forManagement } from '#lib/http/presets.ts';
import { isSelector } from '#lib/kinds/event-types.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

const time = () =>
  z.string().check(z.refine((text) => utcTime(text) !== undefined, 'Must be a time such as 2026-01-31T09:00:00Z.'));

/** lib/spec/additions.md section 5 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/webhooks/{id}/replay',
  summary: 'Send events to a webhook again.',
  ...forManagement,
  permissions: ['webhooks:webhook:read', 'webhooks:webhook:manage'],
  body: z.strictObject({
    since: time(),
    until: z.optional(time()),
    types: z.optional(
      z
        .array(
          z.string().check(
            z.refine(isSelector, {
              error: 'Must be a type of events such as menu_product.updated, or menu_product.* for all of a kind.',
              params: { code: 'not_allowed' },
            }),
          ),
        )
        .check(z.minLength(1, 'Must have a type.'), z.maxLength(50, 'Must be at most 50 types.')),
    ),
  }),
  response: z.object({ events: z.number() }),
  status: 202,
  uses: ['table:read', 'table:update', 'table:webhooks'],
  // It reads all events of the time.
  lambda: { timeoutSeconds: 29 },
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    'Sends the events of a time to this webhook, as far as its types and its key allow, also those that were delivered. They keep their `webhook-id`.',
    'Events are kept for 30 days. The caller needs every permission of the key of the webhook.',
  ].join('\n\n'),
  path: { id: 'The id of the webhook.' },
  body: {
    description: 'Which events are sent.',
    properties: {
      since: { description: 'The time of the first event (RFC 3339), inclusive.' },
      until: { description: 'The end of the time, exclusive. By default now.' },
      types: { description: 'Only events of these types, as in the webhook.' },
    },
  },
  success: { description: 'The number of events that will be sent.' },
  refusals: ['conflict', 'validation_failed'],
});
