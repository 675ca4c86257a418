import { type Localized, textsIn } from './localized.ts';

/** The requested language, and the fallbacks for texts that it lacks (lib/spec/additions.md section 1). */
export interface Locale {
  readonly language: string;
  /** The languages to look for a text in, best first, each once. */
  readonly chain: readonly string[];
  /** Equal for locales that choose equal texts. */
  readonly name: string;
}

/** Stands for every language of the workspace, in its order. */
export const anyLanguage = '*';

/** @param fallback languages of the workspace, or `*` */
export function newLocale(language: string, fallback: readonly string[], languages: readonly string[]): Locale {
  const wanted = [language, ...fallback.flatMap((one) => (one === anyLanguage ? languages : [one]))];
  const chain = [...new Set(wanted)];
  return { language, chain, name: chain.join() };
}

/** A text in the first language that has one; blank text counts as none. */
export function textIn(texts: Localized, { chain }: Pick<Locale, 'chain'>): string | null {
  for (const language of chain) {
    const text: unknown = Object.hasOwn(texts, language) ? texts[language] : undefined;
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return null;
}

/** The form of a record's localized texts: all languages, or one text each. */
export type ShowText = (texts: Localized) => Localized | string | null;

/** How the texts of an answer are written. */
export interface RenderOptions {
  /** Those of the workspace, in its order; texts that are stored in others are not shown. */
  readonly languages: readonly string[];
  /** @default all languages */
  readonly locale?: Locale | undefined;
}

/** Equal for writings that show equal texts. */
export const writingName = ({ languages, locale }: RenderOptions): string =>
  locale?.name ?? `${anyLanguage}${languages}`;

export const showingTexts = ({ languages, locale }: RenderOptions): ShowText =>
  locale ? (texts) => textIn(texts, locale) : (texts) => textsIn(texts, languages);
