import { Link, Route, Switch } from 'wouter';
import type { StoredRecord } from '#lib/client/records.ts';
import type { ConversationPage } from '#lib/client/types.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-records.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import { areaCode } from '../../area-code.ts';
import { client } from '../../data/client.ts';
import { useLocalized, useMay, useProfile } from '../../data/session-context.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale, useShownTime, useTexts } from '../../texts/use-texts.tsx';
import { Nothing } from '../../ui/states.tsx';
import { notificationAddress, notificationText } from './notifications/notification-text.ts';
import { notificationTexts } from './notifications/texts.ts';
import { useFormTitles } from './notifications/use-form-titles.ts';
import { Panel, rowsMax } from './panel.tsx';
import { overviewTexts } from './texts.ts';

const weekMilliseconds = 7 * 24 * 60 * 60_000;

const notifications = areaCode(() => import('./notifications/area.tsx'));
const calendar = areaCode(() => import('./calendar/area.tsx'));

/** The open tasks and the notifications. */
export function Area() {
  const Notifications = notifications();
  const Calendar = calendar();
  const mayNotifications = useMay('notifications:notification:read');
  return (
    <Switch>
      <Route path="/overview">
        <Overview />
      </Route>
      {mayNotifications && (
        <Route path="/overview/notifications">
          <Notifications />
        </Route>
      )}
      <Route path="/overview/calendar">
        <Calendar />
      </Route>
      <Route>
        <Nothing />
      </Route>
    </Switch>
  );
}

/** Sold-out products, unread conversations, new responses, unread notifications. */
function Overview() {
  const t = useCatalogue(overviewTexts);
  const { name } = useProfile();
  const { calendar: calendarText } = useTexts();
  const mayPlan = useMay('menu:product:manage', 'cms:entry:read');
  const mayMenu = useMay('menu:product:manage', 'menu:product:availability');
  const mayInbox = useMay('messaging:conversation:read');
  const mayResponses = useMay('forms:response:read');
  const mayNotifications = useMay('notifications:notification:read');
  return (
    <>
      <header className="screen-head">
        <h1 dir="auto">{fill(t.welcome, { name })}</h1>
        {mayPlan && (
          <Link href="/overview/calendar" className="button">
            {calendarText}
          </Link>
        )}
      </header>
      <div className="overview-grid">
        {mayMenu && <SoldOut />}
        {mayInbox && <Unread />}
        {mayResponses && <Responses />}
        {mayNotifications && <NotificationPanel />}
      </div>
    </>
  );
}

function SoldOut() {
  const t = useCatalogue(overviewTexts);
  const localized = useLocalized();
  const shownTime = useShownTime();
  const isManager = useMay('menu:product:manage');
  return (
    <Panel
      title={t.soldOut}
      empty={t.nothingSoldOut}
      to="/menu?soldout=true"
      linkText={t.allSoldOut}
      kind="menu-products"
      read={() => client.manage.menuProducts.list({ soldout: true, limit: rowsMax })}
      rowOf={({ id, name, slug, soldoutUntil }: MenuProduct) => ({
        text: localized(name) || slug,
        ...(soldoutUntil !== null && { note: fill(t.until, { time: shownTime(soldoutUntil) }) }),
        to: isManager ? `/menu/products/${encodeURIComponent(id)}` : '/menu?soldout=true',
      })}
    />
  );
}

function Unread() {
  const t = useCatalogue(overviewTexts);
  return (
    <Panel
      title={t.unread}
      empty={t.nothingUnread}
      to="/inbox"
      linkText={t.toInbox}
      kind="conversations"
      read={() => client.conversations.list({ unread: true, limit: rowsMax })}
      rowOf={({ id, lastMessage, unreadCount }: ConversationPage['data'][number]) => ({
        text: lastMessage || t.files,
        note: String(unreadCount),
        to: `/inbox/${encodeURIComponent(id)}`,
      })}
    />
  );
}

function Responses() {
  const t = useCatalogue(overviewTexts);
  const shownTime = useShownTime();
  const since = () => new Date(Date.now() - weekMilliseconds).toISOString();
  return (
    <Panel
      title={t.responses}
      empty={t.noResponses}
      to="/forms"
      linkText={t.toForms}
      kind="form-responses"
      read={() => client.manage.formResponses.list({ since: since(), limit: rowsMax })}
      rowOf={({ formId, createdAt }: StoredRecord) => ({
        text: fill(t.fromForm, { time: shownTime(String(createdAt)) }),
        to: `/forms/responses/${encodeURIComponent(String(formId))}`,
      })}
    />
  );
}

/** The newest unread notifications. */
function NotificationPanel() {
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
