import { authorOf } from '#lib/domain/events/workspace-event.ts';
import { api } from '#lib/http/api.ts';
import { newTestDelivery } from '#lib/table/webhooks/deliveries.ts';
import { requireWebhook } from '#lib/webhooks/require-webhook.ts';
import { shownDelivery } from '#lib/webhooks/shown-delivery.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ table, principal, requestId, params: { id } }) => {
    const webhook = await requireWebhook(table, principal, id);
    const delivery = await newTestDelivery(table, principal, webhook, authorOf(principal, requestId));
    return { body: shownDelivery(delivery) };
  },
});
