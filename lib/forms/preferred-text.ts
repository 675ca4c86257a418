import type { Localized } from '#lib/domain/localized.ts';

/**
 * The text of a localized object that a reader would like best, by the languages of an `Accept-Language` header: `ar-SA`
 * takes `ar`, too. Without any of them the first text there is.
 */
export function preferredText(texts: Localized, acceptLanguage: string | undefined): string | undefined {
  const present = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  for (const wanted of wantedLanguages(acceptLanguage ?? '')) {
    const found = present.find(([language]) => language.toLowerCase() === wanted) ?? present.find(isRelatedTo(wanted));
    if (found) return found[1];
  }
  return present[0]?.[1];
}

/** `en` and `en-GB`, either way round. */
const isRelatedTo =
  (wanted: string) =>
  ([language]: readonly [string, string]): boolean => {
    const own = language.toLowerCase();
    return own.startsWith(`${wanted}-`) || wanted.startsWith(`${own}-`);
  };

const languagesMax = 20;

/** Best first. */
const wantedLanguages = (header: string): string[] =>
  header
    .split(',', languagesMax)
    .map((item) => item.split(';'))
    .map(([language = '', quality]) => ({ language: language.trim().toLowerCase(), weight: weightOf(quality) }))
    .filter(({ language, weight }) => language !== '' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => language);

const weightOf = (quality: string | undefined): number =>
  Number(/^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(quality ?? '')?.[1] ?? 1);
