import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Form } from '#lib/domain/forms/form.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import { client } from '../../../data/client.ts';
import { useAllRecords, useRecordList, useRefresh } from '../../../data/records.ts';
import { useLocalized, useMay } from '../../../data/session-context.tsx';
import { useSearch } from '../../../shell/location.ts';
import { useCatalogue, useFormatLocale, useTexts } from '../../../texts/use-texts.tsx';
import { Cell } from '../../../ui/cell.tsx';
import { ListBody } from '../../../ui/list-body.tsx';
import { TableRegion } from '../../../ui/table-region.tsx';
import { useFailureToast } from '../../../ui/toasts.tsx';
import { markAllRead, markRead } from './mark-read.ts';
import { notificationAddress, notificationText } from './notification-text.ts';
import { notificationTexts } from './texts.ts';

/** The notifications of the workspace, newest first, read or unread. */
export function Area() {
  const t = useCatalogue(notificationTexts);
  const { overview } = useTexts();
  const [search, setSearch] = useSearch();
  const mayMark = useMay('notifications:notification:update');
  const unread = search.get('unread') === 'true';
  const list = useRecordList<Notification>('notifications', client.manage.notifications, {
    limit: 50,
    ...(unread && { unread }),
  });
  const refresh = useRefresh();
  const markAll = useMutation({
    mutationFn: markAllRead,
    onError: useFailureToast(),
    onSettled: () => refresh('notifications'),
  });
  return (
    <>
      <header className="screen-head">
        <div>
          <Link href="/overview" className="back-link">
            {overview}
          </Link>
          <h1>{t.title}</h1>
        </div>
        {mayMark && (
          <button type="button" className="button" disabled={markAll.isPending} onClick={() => markAll.mutate()}>
            {t.markAll}
          </button>
        )}
      </header>
      <div className="toolbar">
        <label className="check">
          <input
            type="checkbox"
            checked={unread}
            onChange={({ target }) => setSearch({ unread: target.checked ? 'true' : null })}
          />
          <span>{t.unreadOnly}</span>
        </label>
      </div>
      <ListBody list={list} empty={unread ? t.noneUnread : t.none} isFiltered={false}>
        <NotificationTable notifications={list.rows} />
      </ListBody>
    </>
  );
}

function NotificationTable({ notifications }: { readonly notifications: readonly Notification[] }) {
  const t = useCatalogue(notificationTexts);
  const localized = useLocalized();
  const { data: forms = [] } = useAllRecords<Form>('forms', client.manage.forms, {}, useMay('forms:form:manage'));
  const titles = new Map(forms.map(({ id, title, slug }) => [id, localized(title) || slug]));
  return (
    <TableRegion label={t.title}>
      <table className="cards">
        <thead>
          <tr>
            <th scope="col">{t.what}</th>
            <th scope="col">{t.status}</th>
          </tr>
        </thead>
        <tbody>
          {notifications.map((notification) => (
            <Row key={notification.id} notification={notification} text={notificationText(notification, titles, t)} />
          ))}
        </tbody>
      </table>
    </TableRegion>
  );
}

function Row({ notification, text }: { readonly notification: Notification; readonly text: string }) {
  const t = useCatalogue(notificationTexts);
  const locale = useFormatLocale();
  const refresh = useRefresh();
  const mayMark = useMay('notifications:notification:update');
  const { id, readAt, createdAt } = notification;
  const mark = useMutation({
    mutationFn: (isRead: boolean) => markRead(id, isRead),
    onError: useFailureToast(),
    onSettled: () => refresh('notifications'),
  });
  const isUnread = readAt === null;
  return (
    <tr>
      <th scope="row" dir="auto">
        <Link href={notificationAddress(notification)} onClick={() => isUnread && mayMark && mark.mutate(true)}>
          {text}
        </Link>
        <p className="hint notification-time">
          {new Date(createdAt).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })}
        </p>
      </th>
      <Cell>
        <span className="row">
          <span className={`tag ${isUnread ? 'warns' : ''}`}>{isUnread ? t.unread : t.read}</span>
          {mayMark && (
            <button
              type="button"
              className="button small quiet"
              aria-label={`${isUnread ? t.markRead : t.markUnread}: ${text}`}
              disabled={mark.isPending}
              onClick={() => mark.mutate(isUnread)}
            >
              {isUnread ? t.markRead : t.markUnread}
            </button>
          )}
        </span>
      </Cell>
    </tr>
  );
}
