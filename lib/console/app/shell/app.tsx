import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { ApiError } from '#lib/client/api-error.ts';
import { areaCode } from '../area-code.ts';
import { profileQuery } from '../data/session.ts';
import { SessionProvider } from '../data/session-context.tsx';
import { dropOldDrafts } from '../drafts/draft-store.ts';
import type { Language } from '../texts/catalogue.ts';
import { languageOf } from '../texts/catalogue.ts';
import { LanguageProvider } from '../texts/use-texts.tsx';
import { ConfirmProvider } from '../ui/confirm.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { ToastProvider } from '../ui/toasts.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';

/** In the code of an area, because each further entry point splits the code that all share. */
const workspaces = areaCode(async () => ({ Area: (await import('../areas/settings/area.tsx')).Workspaces }));

const languageKey = 'console.language';

/** The whole page: the sign-in page, the choice of a workspace, or the console of the signed-in member. */
export function App() {
  const Workspaces = workspaces();
  const { data: profile, error, refetch } = useQuery(profileQuery);
  const [chosen, setChosen] = useState(() => localStorage.getItem(languageKey));
  const language = languageOf([profile?.language, chosen, ...navigator.languages]);
  const choose = (next: Language) => {
    localStorage.setItem(languageKey, next);
    setChosen(next);
  };
  const hadSession = useRef(false);
  useEffect(() => {
    hadSession.current ||= Boolean(profile);
    // The sign-in page after this session uses the member's language.
    if (profile?.language) localStorage.setItem(languageKey, profile.language);
    if (profile) void dropOldDrafts();
  }, [profile]);
  return (
    <LanguageProvider language={language}>
      <ErrorBoundary isPage>
        <ToastProvider>
          <ConfirmProvider>
            {profile ? (
              <SessionProvider value={profile}>
                <Shell key={`${profile.workspace.id}/${profile.id}`} />
              </SessionProvider>
            ) : profile === null ? (
              <SignIn chooseLanguage={choose} hasEnded={hadSession.current} />
            ) : error instanceof ApiError && error.code === 'workspace_required' ? (
              <Suspense fallback={<Loading />}>
                <Workspaces />
              </Suspense>
            ) : error ? (
              <main>
                <Failure error={error} retry={() => void refetch()} />
              </main>
            ) : (
              <Loading />
            )}
          </ConfirmProvider>
        </ToastProvider>
      </ErrorBoundary>
    </LanguageProvider>
  );
}
