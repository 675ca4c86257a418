import type { Form } from '#lib/domain/forms/form.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import { client } from '../../../data/client.ts';
import { useLocalized, useMay } from '../../../data/session-context.tsx';
import { useCatalogue, useFormatLocale } from '../../../texts/use-texts.tsx';
import { Panel } from '../panel.tsx';
import { notificationAddress, notificationText } from './notification-text.ts';
import { notificationTexts } from './texts.ts';

const limit = 8;

/** The newest unread notifications. */
export function NotificationPanel() {
  const t = useCatalogue(notificationTexts);
  const localized = useLocalized();
  const locale = useFormatLocale();
  const maySeeForms = useMay('forms:form:manage');
  const read = async () => {
    const [{ data, next }, forms] = await Promise.all([
      client.manage.notifications.list({ unread: true, limit }),
      maySeeForms ? client.manage.forms.list({ limit: 100 }) : { data: [] },
    ]);
    const titles = new Map(
      (forms.data as unknown as readonly Form[]).map(({ id, title, slug }) => [id, localized(title) || slug]),
    );
    const rows = (data as unknown as readonly Notification[]).map((notification) => ({
      key: notification.id,
      text: notificationText(notification, titles, t),
      note: new Date(notification.createdAt).toLocaleDateString(locale, { month: 'short', day: 'numeric' }),
      to: notificationAddress(notification),
    }));
    return { rows, hasMore: next !== null };
  };
  return (
    <Panel
      title={t.title}
      empty={t.noneUnread}
      to="/overview/notifications"
      linkText={t.all}
      queryKey={['notifications', 'overview', locale]}
      read={read}
    />
  );
}
