import { createContext, use } from 'react';
import type { Permission } from '#lib/domain/access/permission.ts';
import { useLanguage } from '../texts/use-texts.tsx';
import { textIn } from './localized.ts';
import type { Profile } from './session.ts';

const SessionContext = createContext<Profile | null>(null);
export const SessionProvider = SessionContext.Provider;

/** The signed-in member. Areas are shown only after the sign-in. */
export function useProfile(): Profile {
  const profile = use(SessionContext);
  if (!profile) throw new Error('Nobody is signed in.');
  return profile;
}

/** Whether the member has this permission, or one of these. */
export function useMay(...permissions: readonly Permission[]): boolean {
  const granted = useProfile().permissions;
  return permissions.some((permission) => granted.includes(permission));
}

/** The time zone in which the workspace plans. */
export const useTimeZone = (): string => useProfile().workspace.timeZone;

/** Shows a localized text of the workspace: in the language of the console, else of the workspace, else any. */
export function useLocalized(): (text: Readonly<Record<string, string>> | null | undefined) => string {
  const language = useLanguage();
  const { defaultLanguage } = useProfile().workspace;
  return (text) => textIn(text, [language, defaultLanguage]);
}
