import { useEffect } from 'react';
import { signInFailure } from '../data/error-text.ts';
import type { Language } from '../texts/catalogue.ts';
import { useLanguage, useTexts } from '../texts/use-texts.tsx';
import { BrandMark } from '../ui/icons.tsx';
import { rememberScreen, useSearch } from './location.ts';

interface Props {
  readonly chooseLanguage: (language: Language) => void;
  /** True if a member was signed in on this page before. */
  readonly hasEnded: boolean;
}

/** A link to the identity provider. The page explains a failed sign-in, and never redirects automatically. */
export function SignIn({ chooseLanguage, hasEnded }: Props) {
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
