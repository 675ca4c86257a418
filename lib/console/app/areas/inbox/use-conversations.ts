import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConversationChange, ListConversationsParameters } from '#lib/client/types.ts';
import { client } from '../../data/client.ts';
import { useFailureToast } from '../../ui/toasts.tsx';
import { uniqueById } from './thread.ts';
import { pollMilliseconds } from './use-thread.ts';

/** The conversations, newest activity first, read again every few seconds. */
export function useConversations(query: ListConversationsParameters) {
  const found = useInfiniteQuery({
    queryKey: ['conversations', 'list', query],
    queryFn: ({ pageParam }) => client.conversations.list({ limit: 30, ...query, cursor: pageParam ?? undefined }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
    refetchInterval: pollMilliseconds,
  });
  return { ...found, rows: uniqueById(found.data?.pages.flatMap(({ data }) => data) ?? []) };
}

export const useConversation = (id: string) =>
  useQuery({ queryKey: ['conversations', 'one', id], queryFn: () => client.conversations.get(id) });

/** Changes status or assignee. */
export function useConversationChange(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: ConversationChange) => client.conversations.update(id, change),
    onSuccess: (stored) => queries.setQueryData(['conversations', 'one', id], stored),
    onError: useFailureToast(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['conversations'] }),
  });
}
