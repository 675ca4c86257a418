import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MessagePage } from '#lib/client/types.ts';
import { client } from '../../data/client.ts';
import { polled } from '../../data/polling.ts';
import { useFailureToast } from '../../ui/toasts.tsx';
import { type Thread, threadOf, withNewer, withOlder } from './thread.ts';

/**
 * The interval of polls while the page is visible. The browser sends the ETag, so a poll without news gets an empty
 * 304.
 */
export const pollMilliseconds = 5_000;

/** The messages of a conversation: the newest page, new messages every few seconds, and older ones on demand. */
export function useThread(id: string) {
  const queries = useQueryClient();
  const queryKey = ['conversations', 'thread', id];
  const found = useQuery({
    queryKey,
    queryFn: async () => {
      const before = queries.getQueryData<Thread>(queryKey);
      if (!before?.messages.length) return threadOf(await client.conversations.messages(id, { limit: 50 }));
      const pages = await pagesAfter(id, before.messages.at(-1)?.id);
      // Older messages may have been added during the request.
      return pages.reduce(withNewer, queries.getQueryData<Thread>(queryKey) ?? before);
    },
    refetchInterval: polled(pollMilliseconds),
    staleTime: 0,
  });
  const readOlder = useMutation({
    mutationFn: () => client.conversations.messages(id, { before: found.data?.messages[0]?.id, limit: 50 }),
    onSuccess: (page) => queries.setQueryData<Thread>(queryKey, (now) => now && withOlder(now, page)),
    onError: useFailureToast(),
  });
  return { thread: found.data, error: found.error, refetch: found.refetch, readOlder };
}

async function pagesAfter(id: string, last: string | undefined): Promise<MessagePage[]> {
  const pages: MessagePage[] = [];
  for (let after = last; ; ) {
    const page = await client.conversations.messages(id, { after, limit: 100 });
    pages.push(page);
    after = page.data.at(-1)?.id;
    if (!page.hasMore || after === undefined) return pages;
  }
}
