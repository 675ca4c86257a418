import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { client } from '../../data/client.ts';
import { noticeEndOfSession } from '../../data/query-client.ts';
import type { Thread } from './thread.ts';

const subscribe = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

/** Moves the member's read mark to the newest message on the screen, while the page is visible. */
export function useMarkRead(id: string, thread: Thread | undefined, mayEngage: boolean): void {
  const queries = useQueryClient();
  const isVisible = useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
  const newest = thread?.messages.at(-1)?.id;
  useEffect(() => {
    if (!mayEngage || !isVisible || newest === undefined) return;
    client.conversations.markRead(id, newest).then(
      () => {
        void queries.invalidateQueries({ queryKey: ['conversations', 'list'] });
        void queries.invalidateQueries({ queryKey: ['conversations', 'overview'] });
      },
      // The next message or visit retries.
      (error: Error) => noticeEndOfSession(error),
    );
  }, [id, newest, isVisible, mayEngage, queries]);
}
