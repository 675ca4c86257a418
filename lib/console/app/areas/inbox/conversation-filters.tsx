import { useProfile } from '../../data/session-context.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { CheckFilter, ChoiceFilter } from '../../ui/filters.tsx';
import { statuses } from './conversation-query.ts';
import { inboxTexts } from './texts.ts';
import type { Team } from './use-names.ts';

/** The filters of the conversations. They are stored in the URL. */
export function ConversationFilters({ team }: { readonly team: Team }) {
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
