import { Suspense, useEffect, useRef } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { type AreaEntry, areas } from '../areas.tsx';
import { useTexts } from '../texts/use-texts.tsx';
import { Loading, Nothing } from '../ui/states.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Navigation } from './navigation.tsx';
import { Permitted } from './permitted.tsx';

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
