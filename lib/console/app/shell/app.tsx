import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { ApiError } from '#lib/client/api-error.ts';
import { areaCode } from '../area-code.ts';
import { type AreaEntry, areas } from '../areas.tsx';
import { signInFailure } from '../data/error-text.ts';
import { profileQuery } from '../data/session.ts';
import { SessionProvider } from '../data/session-context.tsx';
import { dropOldDrafts } from '../drafts/draft-store.ts';
import { type Language, languageOf } from '../texts/catalogue.ts';
import { LanguageProvider, useLanguage, useTexts } from '../texts/use-texts.tsx';
import { ConfirmProvider } from '../ui/confirm.tsx';
import { BrandMark } from '../ui/icons.tsx';
import { Failure, Loading, Nothing } from '../ui/states.tsx';
import { ToastProvider } from '../ui/toasts.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { rememberScreen, useSearch } from './location.ts';
import { Navigation } from './navigation.tsx';
import { Permitted } from './permitted.tsx';

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

/** The signed-in console: the navigation beside the area of the URL. */
function Shell() {
  const t = useTexts();
  const [location] = useLocation();
  const area = areas.find(({ name }) => location === `/${name}` || location.startsWith(`/${name}/`));
  const title = area ? t[area.name] : t.console;
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {t.skipToContent}
      </button>
      <Navigation />
      <main className="content" ref={main} tabIndex={-1}>
        <ErrorBoundary key={area?.name ?? ''}>
          <Suspense fallback={<Loading />}>
            <Switch>
              {areas.map((entry) => (
                <Route key={entry.name} path={`/${entry.name}/*?`}>
                  <AreaOf entry={entry} />
                </Route>
              ))}
              <Route path="/">
                <Redirect to="/overview" replace />
              </Route>
              <Route path="/sign-in">
                <Redirect to="/overview" replace />
              </Route>
              <Route>
                <Nothing />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
    </div>
  );
}

function AreaOf({ entry: { permissions, code } }: { readonly entry: AreaEntry }) {
  const Area = code();
  return (
    <Permitted permissions={permissions}>
      <Area />
    </Permitted>
  );
}

interface SignInProps {
  readonly chooseLanguage: (language: Language) => void;
  /** True if a member was signed in on this page before. */
  readonly hasEnded: boolean;
}

/** A link to the identity provider. The page explains a failed sign-in, and never redirects automatically. */
function SignIn({ chooseLanguage, hasEnded }: SignInProps) {
  const t = useTexts();
  const language = useLanguage();
  const other = language === 'en' ? 'ar' : 'en';
  const [search] = useSearch();
  const error = search.get('error');
  useEffect(() => {
    document.title = t.signIn;
  }, [t]);
  useEffect(rememberScreen, []);
  const message = error === null ? (hasEnded ? t.sessionEnded : null) : signInFailure(error, language);
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <BrandMark />
        <h1>{t.signInTitle}</h1>
        {message !== null && (
          <p className="notice" role="alert">
            {message}
          </p>
        )}
        <p className="hint">{t.signInHint}</p>
        <a className="button primary wide" href="/api/v1/session/login">
          {t.signIn}
        </a>
        <button type="button" className="button quiet" lang={other} onClick={() => chooseLanguage(other)}>
          {t.otherLanguage}
        </button>
      </div>
    </main>
  );
}
