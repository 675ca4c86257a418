import type { Notification } from '#lib/domain/messaging/notification.ts';
import { fill } from '../../../texts/catalogue.ts';
import type { notificationTexts } from './texts.ts';

/** The event of a notification as text. @param titles of the forms that the member may see, by id */
export function notificationText(
  { type, formId = '' }: Notification,
  titles: ReadonlyMap<string, string>,
  t: (typeof notificationTexts)['ar'],
): string {
  if (type === 'hand_over') return t.handOver;
  if (type === 'webhook_disabled') return t.webhookDisabled;
  const form = titles.get(formId);
  return form === undefined ? t.someResponse : fill(t.response, { form });
}

/** The path of the record that the notification is about. */
export function notificationAddress({ type, formId = '', conversationId = '', webhookId = '' }: Notification): string {
  if (type === 'hand_over') return `/inbox/${encodeURIComponent(conversationId)}`;
  if (type === 'webhook_disabled') return `/settings/webhooks/${encodeURIComponent(webhookId)}`;
  return `/forms/responses/${encodeURIComponent(formId)}`;
}
