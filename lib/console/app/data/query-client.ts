import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '#lib/client/api-error.ts';
import { profileQuery } from './session.ts';

/** A 401 on any call shows the sign-in page. */
export function noticeEndOfSession(error: Error): void {
  if (error instanceof ApiError && error.status === 401) queryClient.setQueryData(profileQuery.queryKey, null);
}

/**
 * The client makes all useful retries, so queries make none. Without a connection they fail immediately: a change that
 * waited for a connection would look as if it were stored.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndOfSession }),
  mutationCache: new MutationCache({ onError: noticeEndOfSession }),
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, networkMode: 'always', refetchOnReconnect: true },
    mutations: { retry: false, networkMode: 'always' },
  },
});
