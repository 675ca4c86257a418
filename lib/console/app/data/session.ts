import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '#lib/client/api-error.ts';
import type { Profile } from '#lib/client/types.ts';
import { client } from './client.ts';

/** The signed-in member (lib/spec/additions.md section 6). */
export type { Profile };

async function readProfile(): Promise<Profile | null> {
  try {
    return await client.profile.get();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Null without a signed-in member. Each call extends the session, so it is made every 15 minutes. */
export const profileQuery = queryOptions({
  // It has the name, the languages and the time zone of the workspace, so it is read again with that.
  queryKey: ['workspace', 'profile'],
  queryFn: readProfile,
  staleTime: 15 * 60_000,
  refetchInterval: 15 * 60_000,
});
