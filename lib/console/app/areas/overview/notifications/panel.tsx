import type { Notification } from '#lib/domain/messaging/notification.ts';
import { client } from '../../../data/client.ts';
import { useCatalogue, useFormatLocale } from '../../../texts/use-texts.tsx';
import { Panel, rowsMax } from '../panel.tsx';
import { notificationAddress, notificationText } from './notification-text.ts';
import { notificationTexts } from './texts.ts';
import { useFormTitles } from './use-form-titles.ts';

/** The newest unread notifications. */
export function NotificationPanel() {
  const t = useCatalogue(notificationTexts);
  const locale = useFormatLocale();
  const titles = useFormTitles();
  return (
    <Panel
      title={t.title}
      empty={t.noneUnread}
      to="/overview/notifications"
      linkText={t.all}
      kind="notifications"
      read={() => client.manage.notifications.list({ unread: true, limit: rowsMax })}
      rowOf={(notification: Notification) => ({
        text: notificationText(notification, titles, t),
        note: new Date(notification.createdAt).toLocaleDateString(locale, { month: 'short', day: 'numeric' }),
        to: notificationAddress(notification),
      })}
    />
  );
}
