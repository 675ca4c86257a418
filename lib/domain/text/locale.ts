import { isBlank } from './blank.ts';
import { textsIn } from './language-tag.ts';
import type { Localized } from './localized.ts';
import { withTexts } from './texts-at.ts';

/** The requested language, and the fallbacks for texts that it lacks (lib/spec/additions.md section 1). */
export interface Locale {
  readonly language: string;
  /** The languages to try, best first, without duplicates. */
  readonly chain: readonly string[];
  /** Equal for locales with equal results. */
  readonly name: string;
}

/** All languages of the workspace, in its order. */
export const anyLanguage = '*';

/** @param fallback languages of the workspace, or `*` */
export function newLocale(language: string, fallback: readonly string[], languages: readonly string[]): Locale {
  const wanted = [language, ...fallback.flatMap((entry) => (entry === anyLanguage ? languages : [entry]))];
  const chain = [...new Set(wanted)];
  return { language, chain, name: chain.join() };
}

/** The text in the first language with a non-blank text. */
export function textIn(texts: Localized, { chain }: Pick<Locale, 'chain'>): string | null {
  for (const language of chain) {
    const text: unknown = Object.hasOwn(texts, language) ? texts[language] : undefined;
    if (typeof text === 'string' && !isBlank(text)) return text;
  }
  return null;
}

export interface RenderOptions {
  /** The workspace's languages in order. Texts in other languages are not shown. */
  readonly languages: readonly string[];
  /** @default all languages */
  readonly locale?: Locale | undefined;
}

/** Equal for options with equal results. */
export const renderKey = ({ languages, locale }: RenderOptions): string => locale?.name ?? `${anyLanguage}${languages}`;

/** A record with the texts at these paths in all languages, or as one text each. */
export const inLocale = (record: object, paths: readonly string[], { languages, locale }: RenderOptions): object =>
  withTexts(record, paths, (texts: Localized) => (locale ? textIn(texts, locale) : textsIn(texts, languages)));
