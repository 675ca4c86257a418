import { isBlank } from '#lib/domain/text/blank.ts';
import type { Localized } from '#lib/domain/text/localized.ts';

/**
 * The text of a localized object that fits an `Accept-Language` header best; `ar-SA` also matches `ar`. Without a match
 * it is the first text, if possible in a language that the header does not exclude.
 */
export function preferredText(texts: Localized, acceptLanguage: string | undefined): string | undefined {
  const present = Object.entries(texts).filter(([, text]) => !isBlank(text));
  const languages = languagesOf(acceptLanguage ?? '');
  for (const { language: wanted } of languages.filter(({ weight }) => weight > 0)) {
    const match = present.find(([language]) => language.toLowerCase() === wanted) ?? present.find(isRelatedTo(wanted));
    if (match) return match[1];
  }
  const refused = new Set(languages.filter(({ weight }) => weight === 0).map(({ language }) => language));
  return (present.find(([language]) => !refused.has(language.toLowerCase())) ?? present[0])?.[1];
}

/** True for `en` and `en-GB`, in either order. */
const isRelatedTo =
  (wanted: string) =>
  ([language]: readonly [string, string]): boolean => {
    const code = language.toLowerCase();
    return code.startsWith(`${wanted}-`) || wanted.startsWith(`${code}-`);
  };

const languagesMax = 20;

/** Best first. */
const languagesOf = (header: string): { readonly language: string; readonly weight: number }[] =>
  header
    .split(',', languagesMax)
    .map((item) => item.split(';'))
    .map(([language = '', quality]) => ({ language: language.trim().toLowerCase(), weight: weightOf(quality) }))
    .filter(({ language }) => language !== '')
    .sort((a, b) => b.weight - a.weight);

const weightOf = (quality: string | undefined): number =>
  Number(/^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(quality ?? '')?.[1] ?? 1);
