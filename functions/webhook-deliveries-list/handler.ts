import * as z from 'zod/mini';
import type { StoredDelivery } from '#lib/domain/webhooks/delivery.ts';
import { rendered } from '#lib/http/answer.ts';
import { pageOf } from '#lib/http/page.ts';
import { readApi } from '#lib/http/read-api.ts';
import { Deliveries, isDeliveryId } from '#lib/table/webhooks/deliveries.ts';
import { requireWebhook } from '#lib/webhooks/require-webhook.ts';
import { shownDelivery } from '#lib/webhooks/shown-delivery.ts';
import { endpoint } from './endpoint.ts';

/** The number of deliveries that one page examines. */
const lookedAtMax = 5_000;

export const handler = readApi(endpoint, {
  handle: async ({ table, principal, params: { id }, query: { status, limit, cursor } }) => {
    const webhook = await requireWebhook(table, principal, id);
    const deliveries = new Deliveries(table, principal, webhook);
    const { rows, next } = await pageOf<StoredDelivery, string>(
      { list: [principal.workspaceId, 'deliveries', id, status ?? ''], limit, cursor },
      {
        order: { position: z.string().check(z.refine(isDeliveryId)), of: (delivery) => delivery.id },
        after: (position, count) => deliveries.newestFirst(position, status === undefined ? count : 1_000),
        matches: (delivery) => status === undefined || delivery.status === status,
        lookedAtMax,
      },
    );
    return { json: rendered(JSON.stringify({ data: rows.map(shownDelivery), next })) };
  },
});
