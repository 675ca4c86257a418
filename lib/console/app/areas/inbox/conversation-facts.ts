import type { Conversation, ConversationChange } from '#lib/client/types.ts';
import type { Members } from '../../editing/paths.ts';

type Assignee = Conversation['assignee'];

/** An assignee as one string, for selection and comparison; empty without an assignee. */
export const keyOfAssignee = (assignee: Assignee): string => (assignee ? `${assignee.type}/${assignee.id}` : '');

export function assigneeOfKey(key: string): Assignee {
  const slash = key.indexOf('/');
  if (slash < 0) return null;
  return { type: key.slice(0, slash) === 'agent' ? 'agent' : 'member', id: key.slice(slash + 1) };
}

type Changeable = Pick<Conversation, 'status' | 'assignee' | 'language'>;

/** The editable properties of a conversation, as strings. */
export const factsOf = ({ status, assignee, language }: Changeable): Members => ({
  status,
  assignee: keyOfAssignee(assignee),
  language: language ?? '',
});

/** The change from a stored conversation to these facts; empty if there is no difference. */
export function changeTo(facts: Members, stored: Changeable): ConversationChange {
  const now = factsOf(stored);
  const isOther = (name: string) => facts[name] !== now[name];
  return {
    ...(isOther('status') && { status: facts['status'] as Conversation['status'] }),
    ...(isOther('assignee') && { assignee: assigneeOfKey(String(facts['assignee'])) }),
    ...(isOther('language') && { language: String(facts['language']) || null }),
  };
}
