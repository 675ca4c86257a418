import { useProfile } from '../../data/session-context.tsx';
import { useSearch } from '../../shell/location.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { statuses } from './conversation-query.ts';
import { inboxTexts } from './texts.ts';
import type { Team } from './use-names.ts';

/** The filters of the conversations. They are stored in the URL. */
export function ConversationFilters({ team }: { readonly team: Team }) {
  const t = useCatalogue(inboxTexts);
  const { id: own } = useProfile();
  const [search, setSearch] = useSearch();
  return (
    <div className="inbox-filters">
      <label className="field">
        <span className="label">{t.status}</span>
        <select value={search.get('status') ?? ''} onChange={({ target }) => setSearch({ status: target.value })}>
          <option value="">{t.anyStatus}</option>
          {statuses.map((status) => (
            <option key={status} value={status}>
              {t[status]}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="label">{t.assignee}</span>
        <select value={search.get('assignee') ?? ''} onChange={({ target }) => setSearch({ assignee: target.value })}>
          <option value="">{t.anyAssignee}</option>
          <option value="me">{t.me}</option>
          <option value="none">{t.nobody}</option>
          <option value="member">{t.aMember}</option>
          <option value="agent">{t.anAgent}</option>
          {[...team.members.filter(({ id }) => id !== own), ...team.agents].map(({ id, name }) => (
            <option key={id} value={id}>
              {name || id}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={search.get('unread') === 'true'}
          onChange={({ target }) => setSearch({ unread: target.checked ? 'true' : null })}
        />
        <span>{t.unreadOnly}</span>
      </label>
    </div>
  );
}
