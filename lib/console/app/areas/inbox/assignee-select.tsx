import type { Conversation } from '#lib/client/types.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { assigneeOfKey, keyOfAssignee } from './conversation-facts.ts';
import { inboxTexts } from './texts.ts';
import { type Team, useAssigneeName } from './use-names.ts';

type Assignee = Conversation['assignee'];

interface Props {
  readonly assignee: Assignee;
  readonly team: Team;
  readonly isDisabled: boolean;
  readonly assign: (assignee: Assignee) => void;
}

/** Assigns a conversation to an active member or an enabled agent, or removes the assignment. */
export function AssigneeSelect({ assignee, team, isDisabled, assign }: Props) {
  const t = useCatalogue(inboxTexts);
  const nameOf = useAssigneeName();
  const members = team.members.filter(({ active }) => active).map(({ id }) => ({ type: 'member', id }) as const);
  const agents = team.agents.filter(({ enabled }) => enabled).map(({ id }) => ({ type: 'agent', id }) as const);
  const isListed = [...members, ...agents].some((candidate) => keyOfAssignee(candidate) === keyOfAssignee(assignee));
  const option = (candidate: Assignee) => (
    <option key={keyOfAssignee(candidate)} value={keyOfAssignee(candidate)}>
      {nameOf(candidate, team)}
    </option>
  );
  return (
    <label className="inbox-choice">
      <span className="label">{t.assignee}</span>
      <select
        value={keyOfAssignee(assignee)}
        disabled={isDisabled}
        onChange={({ target }) => assign(assigneeOfKey(target.value))}
      >
        {option(null)}
        {assignee && !isListed && option(assignee)}
        <optgroup label={t.members}>{members.map(option)}</optgroup>
        {agents.length > 0 && <optgroup label={t.agents}>{agents.map(option)}</optgroup>}
      </select>
    </label>
  );
}
