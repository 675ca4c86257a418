import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ListConversationsParameters } from '#lib/client/types.ts';
import { client } from '../../data/client.ts';
import { polled } from '../../data/polling.ts';
import { type Thread, uniqueById } from './thread.ts';
import { pollMilliseconds } from './use-thread.ts';

/** The conversations, newest activity first, polled every few seconds. */
export function useConversations(query: ListConversationsParameters) {
  const found = useInfiniteQuery({
    queryKey: ['conversations', 'list', query],
    queryFn: ({ pageParam }) => client.conversations.list({ limit: 30, ...query, cursor: pageParam ?? undefined }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
    refetchInterval: polled(pollMilliseconds),
  });
  return { ...found, rows: uniqueById(found.data?.pages.flatMap(({ data }) => data) ?? []) };
}

/** A conversation with its version. */
export const useConversation = (id: string) =>
  useQuery({ queryKey: ['conversations', 'one', id], queryFn: () => client.conversations.getVersioned(id) });

/** Rereads a conversation when the poll of its messages shows another state. */
export function useNewVersion({ data, refetch }: ReturnType<typeof useConversation>, polled: Thread | undefined): void {
  const current = data?.conversation;
  const isOther =
    current !== undefined &&
    polled !== undefined &&
    (current.status !== polled.status || (current.assignee?.type ?? null) !== polled.assigneeType);
  useEffect(() => {
    if (isOther) void refetch();
  }, [isOther, refetch]);
}
