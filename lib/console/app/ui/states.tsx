import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ApiError } from '#lib/client/api-error.ts';
import { errorText } from '../data/error-text.ts';
import { fill } from '../texts/catalogue.ts';
import { useLanguage, useTexts } from '../texts/use-texts.tsx';

/** Shown while data is loading. */
export function Loading() {
  const t = useTexts();
  return (
    <div className="state" role="status">
      <span className="spinner" aria-hidden="true" />
      <span className="visually-hidden">{t.loading}</span>
    </div>
  );
}

/** Shown after a failed read. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const t = useTexts();
  const language = useLanguage();
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div className="state" role="alert">
      <h2>{t.failed}</h2>
      <p>{errorText(error, language)}</p>
      {requestId !== undefined && <p className="hint">{fill(t.requestId, { id: requestId })}</p>}
      {retry && (
        <button type="button" className="button" onClick={retry}>
          {t.retry}
        </button>
      )}
    </div>
  );
}

/** Shown for a URL without a screen. */
export function Nothing() {
  const t = useTexts();
  return (
    <div className="state">
      <h1>{t.notFound}</h1>
      <Link href="/overview" className="button">
        {t.toOverview}
      </Link>
    </div>
  );
}

/** Shown for an empty list. */
export function Empty({ children }: { readonly children?: ReactNode }) {
  const t = useTexts();
  return <p className="empty">{children ?? t.empty}</p>;
}
