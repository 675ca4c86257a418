import { languageIn } from '#lib/domain/text/language-tag.ts';
import { anyLanguage, type Locale, newLocale } from '#lib/domain/text/locale.ts';
import { badRequest, invalidQuery, type RequestIssue } from './errors.ts';
import type { ValuesOf } from './query.ts';
import type { localeParameters } from './query-parameters.ts';

/** The requested languages of texts (lib/spec/additions.md section 1). */
export type LocaleQuery = ValuesOf<typeof localeParameters>;

/** Checks a query against the languages of the workspace. @returns no locale if the answer has all languages */
export function readLocale(
  query: LocaleQuery,
  languages: readonly string[],
): { readonly locale: Locale | undefined; readonly requestIssues: readonly RequestIssue[] } {
  const spelled = (sent: string) => languageIn(languages, sent) ?? sent;
  const locale = query.locale === undefined ? undefined : spelled(query.locale);
  const fallback = [...(query.fallback ?? [])].map(spelled);
  const isUnknown = (language: string) => language !== anyLanguage && !languages.includes(language);
  const faultyParameters = [
    ...(locale !== undefined && isUnknown(locale) ? ['locale'] : []),
    ...(fallback.some(isUnknown) ? ['fallback'] : []),
  ];
  const requestIssues = faultyParameters.map((path) => {
    const allowed = `${languages.join(', ')}, or ${anyLanguage}`;
    const message = `${path}: Must be one of the workspace's languages: ${allowed}.`;
    return invalidQuery({ path, code: 'not_allowed', message });
  });
  if (requestIssues.length > 0 || locale === undefined || locale === anyLanguage)
    return { locale: undefined, requestIssues };
  return { locale: newLocale(locale, fallback, languages), requestIssues };
}

/** Like `readLocale`, for routes that check nothing else against the workspace. @throws 400 */
export function requireLocale(query: LocaleQuery, languages: readonly string[]): Locale | undefined {
  const { locale, requestIssues } = readLocale(query, languages);
  if (requestIssues.length > 0) throw badRequest(requestIssues);
  return locale;
}

export const contentLanguage = (locale: Locale | undefined): Readonly<Record<string, string>> =>
  locale ? { 'content-language': locale.language } : {};
