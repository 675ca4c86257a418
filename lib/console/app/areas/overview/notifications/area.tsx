import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import { client } from '../../../data/client.ts';
import { sendChanges } from '../../../data/many-changes.ts';
import { useRecordList } from '../../../data/record-list.ts';
import { useRefresh } from '../../../data/records.ts';
import { useMay } from '../../../data/session-context.tsx';
import type { Changed } from '../../../history/undo.ts';
import { usePatch } from '../../../history/use-patch.ts';
import { useUndo } from '../../../history/use-undo.tsx';
import { useSearch } from '../../../shell/location.ts';
import { useCatalogue, useShownTime, useTexts } from '../../../texts/use-texts.tsx';
import { CardTable, Heads } from '../../../ui/card-table.tsx';
import { Cell } from '../../../ui/cell.tsx';
import { CheckFilter } from '../../../ui/filters.tsx';
import { ListBody } from '../../../ui/list-body.tsx';
import { useFailureToast, useToast } from '../../../ui/toasts.tsx';
import { notificationAddress, notificationText } from './notification-text.ts';
import { notificationTexts } from './texts.ts';
import { useFormTitles } from './use-form-titles.ts';

/** The notifications of the workspace, newest first, read or unread. */
export function Area() {
  const t = useCatalogue(notificationTexts);
  const { overview } = useTexts();
  const [search] = useSearch();
  const mayMark = useMay('notifications:notification:update');
  const unread = search.get('unread') === 'true';
  const list = useRecordList<Notification>('notifications', client.manage.notifications, {
    limit: 50,
    ...(unread && { unread }),
  });
  const refresh = useRefresh();
  const toast = useToast();
  const undo = useUndo();
  const markAll = useMutation({
    mutationFn: markAllRead,
    onSuccess: (marked) => toast({ text: t.noneUnread, action: undo.ofMany('notifications', marked, markUnread) }),
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
        <CheckFilter name="unread" label={t.unreadOnly} />
      </div>
      <ListBody list={list} empty={unread ? t.noneUnread : t.none} isFiltered={false}>
        <NotificationTable notifications={list.rows} />
      </ListBody>
    </>
  );
}

/**
 * Marks every unread notification, a hundred at a time.
 * @returns those that it has marked
 * @throws Error if no notification of a page can be marked
 */
async function markAllRead(): Promise<readonly Changed[]> {
  const marked: Changed[] = [];
  for (;;) {
    const { data } = await client.manage.notifications.list({ unread: true, limit: 100 });
    if (data.length === 0) return marked;
    const record = readNow();
    const changes = data.map(({ id }) => ({ method: 'PATCH', kind: 'notifications', id, record }) as const);
    const { done, failed } = await sendChanges(changes, client.manage.changes);
    // Otherwise the loop would read the same page forever.
    if (done.length === 0) throw new Error(failed[0]?.message);
    marked.push(...done.map(({ id, etag = '' }) => ({ id, etag })));
  }
}

const markUnread = ({ id, etag }: Changed) =>
  client.manage.notifications.update(id, { readAt: null }, { ifMatch: etag });

const readNow = () => ({ readAt: new Date().toISOString() });

function NotificationTable({ notifications }: { readonly notifications: readonly Notification[] }) {
  const t = useCatalogue(notificationTexts);
  const titles = useFormTitles();
  return (
    <CardTable label={t.title} heads={<Heads texts={[t.what, t.status]} />}>
      {notifications.map((notification) => (
        <Row key={notification.id} notification={notification} text={notificationText(notification, titles, t)} />
      ))}
    </CardTable>
  );
}

function Row({ notification, text }: { readonly notification: Notification; readonly text: string }) {
  const t = useCatalogue(notificationTexts);
  const shownTime = useShownTime();
  const mayMark = useMay('notifications:notification:update');
  const { id, readAt, createdAt } = notification;
  const { mutate, isPending } = usePatch('notifications', client.manage.notifications);
  const isUnread = readAt === null;
  const mark = (text?: string) =>
    mutate({ id, patch: isUnread ? readNow() : { readAt: null }, former: { readAt }, text });
  return (
    <tr>
      <th scope="row" dir="auto">
        <Link href={notificationAddress(notification)} onClick={() => isUnread && mayMark && mark()}>
          {text}
        </Link>
        <p className="hint notification-time">{shownTime(createdAt)}</p>
      </th>
      <Cell>
        <span className="row">
          <span className={`tag ${isUnread ? 'warns' : ''}`}>{isUnread ? t.unread : t.read}</span>
          {mayMark && (
            <button
              type="button"
              className="button small quiet"
              aria-label={`${isUnread ? t.markRead : t.markUnread}: ${text}`}
              disabled={isPending}
              onClick={() => mark(isUnread ? t.nowRead : t.nowUnread)}
            >
              {isUnread ? t.markRead : t.markUnread}
            </button>
          )}
        </span>
      </Cell>
    </tr>
  );
}
