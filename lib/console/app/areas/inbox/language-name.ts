/** The name of a language in the console's language. */
export const languageName = (code: string, locale: string): string =>
  new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' }).of(code) ?? code;
