import { Route, Switch } from 'wouter';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import { areaCode } from '../../area-code.ts';
import { client } from '../../data/client.ts';
import { useLocalized, useMay, useProfile } from '../../data/session-context.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale } from '../../texts/use-texts.tsx';
import { Nothing } from '../../ui/states.tsx';
import { NotificationPanel } from './notifications/panel.tsx';
import { Panel } from './panel.tsx';
import { overviewTexts } from './texts.ts';

const limit = 8;
const weekMilliseconds = 7 * 24 * 60 * 60_000;

const notifications = areaCode(() => import('./notifications/area.tsx'));

/** The open tasks and the notifications. */
export function Area() {
  const Notifications = notifications();
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
  const mayMenu = useMay('menu:product:manage', 'menu:product:availability');
  const mayInbox = useMay('messaging:conversation:read');
  const mayResponses = useMay('forms:response:read');
  const mayNotifications = useMay('notifications:notification:read');
  return (
    <>
      <h1 dir="auto">{fill(t.welcome, { name })}</h1>
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
  const time = useTime();
  const isManager = useMay('menu:product:manage');
  const read = async () => {
    const { data, next } = await client.manage.menuProducts.list({ soldout: true, limit });
    const rows = (data as unknown as readonly MenuProduct[]).map(({ id, name, slug, soldoutUntil }) => ({
      key: id,
      text: localized(name) || slug,
      ...(soldoutUntil !== null && { note: fill(t.until, { time: time(soldoutUntil) }) }),
      to: isManager ? `/menu/products/${encodeURIComponent(id)}` : '/menu?soldout=true',
    }));
    return { rows, hasMore: next !== null };
  };
  return (
    <Panel
      title={t.soldOut}
      empty={t.nothingSoldOut}
      to="/menu?soldout=true"
      linkText={t.allSoldOut}
      queryKey={['menu-products', 'overview']}
      read={read}
    />
  );
}

function Unread() {
  const t = useCatalogue(overviewTexts);
  const read = async () => {
    const { data, next } = await client.conversations.list({ unread: true, limit });
    const rows = data.map(({ id, lastMessage, unreadCount }) => ({
      key: id,
      text: lastMessage || t.files,
      note: String(unreadCount),
      to: `/inbox/${encodeURIComponent(id)}`,
    }));
    return { rows, hasMore: next !== null };
  };
  return (
    <Panel
      title={t.unread}
      empty={t.nothingUnread}
      to="/inbox"
      linkText={t.toInbox}
      queryKey={['conversations', 'overview']}
      read={read}
    />
  );
}

function Responses() {
  const t = useCatalogue(overviewTexts);
  const time = useTime();
  const read = async () => {
    const since = new Date(Date.now() - weekMilliseconds).toISOString();
    const { data, next } = await client.manage.formResponses.list({ since, limit });
    const rows = data.map(({ id, formId, createdAt }) => ({
      key: id,
      text: fill(t.fromForm, { time: time(String(createdAt)) }),
      to: `/forms/responses/${encodeURIComponent(String(formId))}`,
    }));
    return { rows, hasMore: next !== null };
  };
  return (
    <Panel
      title={t.responses}
      empty={t.noResponses}
      to="/forms"
      linkText={t.toForms}
      queryKey={['form-responses', 'overview']}
      read={read}
    />
  );
}

/** A time in a short format. */
function useTime(): (time: string) => string {
  const locale = useFormatLocale();
  return (time) => new Date(time).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}
