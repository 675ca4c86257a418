import { api } from '#lib/http/api.ts';
import { notFound } from '#lib/http/errors.ts';
import { Deliveries } from '#lib/table/webhooks/deliveries.ts';
import { requireEnabled, requireSendable, requireWebhook } from '#lib/webhooks/require-webhook.ts';
import { shownDelivery } from '#lib/webhooks/shown-delivery.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ table, principal, params: { id, deliveryId } }) => {
    const webhook = await requireWebhook(table, principal, id);
    await requireSendable(table, principal, webhook);
    requireEnabled(webhook);
    const nextAt = new Date().toISOString();
    const delivery = await new Deliveries(table, principal, webhook).change(
      deliveryId,
      (stored) => ({ ...stored, status: 'pending', nextAt, isForced: true }),
      { isDue: true },
    );
    if (!delivery) throw notFound('Delivery');
    return { body: shownDelivery(delivery) };
  },
});
