import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '#lib/client/api-error.ts';
import { profileQuery } from './session.ts';

/** An answer 401 anywhere means that the session has ended: the sign-in page comes up. */
export function noticeEndOfSession(error: Error): void {
  if (error instanceof ApiError && error.status === 401) queryClient.setQueryData(profileQuery.queryKey, null);
}

/** The client retries what is worth it, so queries do not. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndOfSession }),
  mutationCache: new MutationCache({ onError: noticeEndOfSession }),
  defaultOptions: { queries: { retry: false, staleTime: 5_000 }, mutations: { retry: false } },
});
