import { createContext, type ReactNode, use, useLayoutEffect } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { type Catalogue, directionOf, type Language } from './catalogue.ts';
import { texts } from './texts.ts';

const LanguageContext = createContext<Language>('en');

const localeOf = { en: 'en-US', ar: 'ar-AE' } as const;

/** Sets the language and its direction for all children and the document. */
export function LanguageProvider({
  language,
  children,
}: {
  readonly language: Language;
  readonly children: ReactNode;
}) {
  useLayoutEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = directionOf(language);
  }, [language]);
  return (
    <LanguageContext value={language}>
      <I18nProvider locale={localeOf[language]}>{children}</I18nProvider>
    </LanguageContext>
  );
}

export const useLanguage = (): Language => use(LanguageContext);

/** The locale of dates and numbers. */
export const useFormatLocale = (): string => localeOf[useLanguage()];

/** Shows a time (RFC 3339, or milliseconds since 1970) with its day, such as `31 Jan 2026, 09:00`. */
export function useShownTime(): (time: string | number) => string {
  const locale = useFormatLocale();
  return (time) => new Date(time).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The shared texts in the language of the member. */
export const useTexts = () => useCatalogue(texts);

/** The texts of an area in the language of the member. */
export const useCatalogue = <Texts extends Readonly<Record<string, string>>>(
  ofArea: Catalogue<Texts>,
): Catalogue<Texts>['ar'] => ofArea[useLanguage()];
