import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '#lib/client/api-error.ts';
import { profileQuery } from './session.ts';

/** An answer 401 anywhere means that the session has ended: the sign-in page comes up. */
export function noticeEndOfSession(error: Error): void {
  if (error instanceof ApiError && error.status === 401) queryClient.setQueryData(profileQuery.queryKey, null);
}

/**
 * The client retries what is worth it, so queries do not. Without a connection they fail at once: a change that waited
 * unseen for a connection would look as if it were stored.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndOfSession }),
  mutationCache: new MutationCache({ onError: noticeEndOfSession }),
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, networkMode: 'always', refetchOnReconnect: true },
    mutations: { retry: false, networkMode: 'always' },
  },
});
