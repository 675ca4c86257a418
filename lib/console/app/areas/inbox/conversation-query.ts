import type { ListConversationsParameters } from '#lib/client/types.ts';

export const statuses = ['open', 'pending', 'snoozed', 'resolved'] as const;
export const filterNames = ['status', 'assignee', 'unread'] as const;

/**
 * The parameters of the list. `assignee` is `me`, `agent`, `none`, `member`, or the id of a member.
 * @param own the id of the signed-in member
 */
export function conversationQuery(search: URLSearchParams, own: string): ListConversationsParameters {
  const status = statuses.find((candidate) => candidate === search.get('status'));
  const unread = search.get('unread') === 'true' || undefined;
  return { status, unread, ...assigneeOf(search.get('assignee') ?? '', own) };
}

function assigneeOf(choice: string, own: string): ListConversationsParameters {
  switch (choice) {
    case '':
      return {};
    case 'me':
      return { assigneeId: own };
    case 'agent':
    case 'member':
    case 'none':
      return { assigneeType: choice };
    default:
      return { assigneeId: choice };
  }
}
