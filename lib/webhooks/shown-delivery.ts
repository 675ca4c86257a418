import type { Delivery, StoredDelivery } from '#lib/domain/webhooks/delivery.ts';

export const shownDelivery = ({ id, eventId, type, status, attempts, nextAt }: StoredDelivery): Delivery => ({
  id,
  eventId,
  type,
  status,
  attempts,
  nextAt,
});
