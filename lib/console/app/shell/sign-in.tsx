import { useEffect } from 'react';
import { signInFailure } from '../data/error-text.ts';
import type { Language } from '../texts/catalogue.ts';
import { useLanguage, useTexts } from '../texts/use-texts.tsx';
import { BrandMark } from '../ui/icons.tsx';
import { rememberScreen, useSearch } from './location.ts';

interface Props {
  readonly chooseLanguage: (language: Language) => void;
  /** Whether somebody was signed in on this page before. */
  readonly hasEnded: boolean;
}

/** One link leads to the identity provider. The page says why a sign-in failed, and never goes anywhere by itself. */
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
  const said = error === null ? (hasEnded ? t.sessionEnded : null) : signInFailure(error, language);
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <BrandMark />
        <h1>{t.signInTitle}</h1>
        {said !== null && (
          <p className="notice" role="alert">
            {said}
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
