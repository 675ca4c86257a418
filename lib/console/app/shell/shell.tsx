import { Suspense, useEffect, useRef } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { type AreaEntry, areas } from '../areas.tsx';
import { useProfile } from '../data/session-context.tsx';
import { useTexts } from '../texts/use-texts.tsx';
import { Loading, Nothing } from '../ui/states.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Navigation } from './navigation.tsx';

/** The signed-in console: the navigation beside the area of the URL. */
export function Shell() {
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
                  <Permitted entry={entry} />
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

function Permitted({ entry: { permissions, code } }: { readonly entry: AreaEntry }) {
  const t = useTexts();
  const own = useProfile().permissions;
  const Area = code();
  if (permissions.length === 0 || permissions.some((one) => own.includes(one))) return <Area />;
  const [before = '', after = ''] = t.missingPermission.split('{permissions}');
  return (
    <div className="state">
      <h1>{t.notPermitted}</h1>
      <p>
        {before}
        <code dir="ltr">{permissions.join(', ')}</code>
        {after}
      </p>
    </div>
  );
}
