import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '#lib/client/api-error.ts';
import type { Permission } from '#lib/domain/access/permission.ts';
import { transport } from './client.ts';

/** The signed-in member (lib/spec/additions.md section 6). */
export interface Profile {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly language: 'en' | 'ar' | null;
  readonly permissions: readonly Permission[];
  readonly workspace: {
    readonly id: string;
    readonly name: string;
    readonly languages: readonly string[];
    readonly defaultLanguage: string;
    readonly currency: string | null;
  };
  readonly workspaces: readonly {
    readonly id: string;
    readonly name: string;
    readonly memberId: string;
  }[];
  readonly session: { readonly createdAt: string; readonly expiresAt: string };
}

const path = '/api/v1/profile';

async function readProfile(): Promise<Profile | null> {
  try {
    return (await (await transport.send({ method: 'GET', path, isRepeatable: true })).json()) as Profile;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Null without a signed-in member. Each call extends the session, so it is made every 15 minutes. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: readProfile,
  staleTime: 15 * 60_000,
  refetchInterval: 15 * 60_000,
});

export const updateProfile = async (changes: Partial<Pick<Profile, 'name' | 'language'>>): Promise<Profile> =>
  (await (await transport.send({ method: 'PATCH', path, json: changes, isRepeatable: false })).json()) as Profile;

const sessionPath = '/api/v1/session';

/** Changes to another workspace of the same person. */
export const switchWorkspace = async (workspaceId: string): Promise<Profile> =>
  (await (
    await transport.send({ method: 'POST', path: sessionPath, json: { workspaceId }, isRepeatable: false })
  ).json()) as Profile;

/** @returns the URL that also ends the session at the issuer */
export async function endSession(): Promise<string> {
  const response = await transport.send({ method: 'DELETE', path: sessionPath, isRepeatable: false });
  return ((await response.json()) as { logoutUrl: string }).logoutUrl;
}
