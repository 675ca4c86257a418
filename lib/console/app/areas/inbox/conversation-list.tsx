import { Link } from 'wouter';
import type { ConversationPage } from '#lib/client/types.ts';
import { useMay, useProfile } from '../../data/session-context.tsx';
import { useSearch } from '../../shell/location.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale, useTexts } from '../../texts/use-texts.tsx';
import { CheckFilter, ChoiceFilter } from '../../ui/filters.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { conversationQuery, filterNames, statuses } from './conversation-query.ts';
import { inboxTexts } from './texts.ts';
import { useConversations } from './use-conversations.ts';
import { type Team, useAssigneeName, useCustomerName } from './use-names.ts';

type Row = ConversationPage['data'][number];

interface Props {
  readonly team: Team;
  /** The id of the open conversation. */
  readonly chosen: string | undefined;
}

export function ConversationList({ team, chosen }: Props) {
  const t = useCatalogue(inboxTexts);
  const shared = useTexts();
  const [search] = useSearch();
  const list = useConversations(conversationQuery(search, useProfile().id));
  const maySeeCustomers = useMay('messaging:customer:read');
  const isFiltered = filterNames.some((name) => search.has(name));
  return (
    <section className="inbox-list" aria-label={t.conversations}>
      <ConversationFilters team={team} />
      {!maySeeCustomers && <p className="hint inbox-hint">{t.namesHidden}</p>}
      {list.error && list.rows.length === 0 ? (
        <Failure error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading />
      ) : list.rows.length === 0 ? (
        <Empty>{isFiltered ? shared.noMatch : undefined}</Empty>
      ) : (
        <ul>
          {list.rows.map((row) => (
            <Conversation key={row.id} row={row} team={team} isChosen={row.id === chosen} search={search.toString()} />
          ))}
        </ul>
      )}
      <MoreButton list={list} />
    </section>
  );
}

/** The filters of the conversations. They are stored in the URL. */
function ConversationFilters({ team }: { readonly team: Team }) {
  const t = useCatalogue(inboxTexts);
  const { id: own } = useProfile();
  const others = [...team.members.filter(({ id }) => id !== own), ...team.agents];
  const assignees = [
    { value: 'me', label: t.me },
    { value: 'none', label: t.nobody },
    { value: 'member', label: t.aMember },
    { value: 'agent', label: t.anAgent },
    ...others.map(({ id, name }) => ({ value: id, label: name || id })),
  ];
  return (
    <div className="inbox-filters">
      <ChoiceFilter
        name="status"
        label={t.status}
        any={t.anyStatus}
        options={statuses.map((status) => ({ value: status, label: t[status] }))}
      />
      <ChoiceFilter name="assignee" label={t.assignee} any={t.anyAssignee} options={assignees} />
      <CheckFilter name="unread" label={t.unreadOnly} />
    </div>
  );
}

interface RowProps {
  readonly row: Row;
  readonly team: Team;
  readonly isChosen: boolean;
  readonly search: string;
}

function Conversation({ row, team, isChosen, search }: RowProps) {
  const t = useCatalogue(inboxTexts);
  const customer = useCustomerName(row.customerId);
  const assignee = useAssigneeName()(row.assignee, team);
  const isUnread = row.unreadCount > 0;
  return (
    <li>
      <Link
        href={`/inbox/${encodeURIComponent(row.id)}${search === '' ? '' : `?${search}`}`}
        className={isUnread ? 'inbox-row unread' : 'inbox-row'}
        aria-current={isChosen ? 'true' : undefined}
      >
        <span className="inbox-row-line">
          <span className="inbox-row-name" dir="auto">
            {customer}
          </span>
          <Moment time={row.lastMessageAt ?? row.createdAt} />
        </span>
        <span className="inbox-row-line">
          <span className="inbox-row-text" dir="auto">
            {row.lastMessage === null ? t.noMessages : row.lastMessage || t.noText}
          </span>
          {isUnread && (
            <span className="inbox-count">
              <span aria-hidden="true">{row.unreadCount}</span>
              <span className="visually-hidden">{fill(t.unread, { count: row.unreadCount })}</span>
            </span>
          )}
        </span>
        <span className="inbox-row-line">
          <span className={`tag ${row.status === 'pending' ? 'warns' : ''}`}>{t[row.status]}</span>
          <small dir="auto">{assignee}</small>
        </span>
      </Link>
    </li>
  );
}

/** The time of day for today, else the day. */
function Moment({ time }: { readonly time: string }) {
  const locale = useFormatLocale();
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  const text = isToday
    ? date.toLocaleTimeString(locale, { timeStyle: 'short' })
    : date.toLocaleDateString(locale, { month: 'short', day: 'numeric' });
  return (
    <time className="inbox-time" dateTime={time}>
      {text}
    </time>
  );
}
