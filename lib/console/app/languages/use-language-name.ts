import { useMemo } from 'react';
import { useFormatLocale } from '../texts/use-texts.tsx';
import { languageNames } from './language-names.ts';

/** @returns a function that names a language in the language of the console */
export function useLanguageName(): (code: string) => string {
  const locale = useFormatLocale();
  return useMemo(() => languageNames(locale), [locale]);
}
