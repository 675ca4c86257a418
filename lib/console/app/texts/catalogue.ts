/** The languages of the console. */
export type Language = 'en' | 'ar';
export const languages: readonly Language[] = ['en', 'ar'];

/** The texts of one part of the console. A text that `ar` lacks is a type error. */
export interface Catalogue<Texts extends Readonly<Record<string, string>>> {
  readonly en: Texts;
  readonly ar: { readonly [Name in keyof Texts]: string };
}

export const catalogue = <const Texts extends Readonly<Record<string, string>>>(
  en: Texts,
  ar: { readonly [Name in keyof Texts]: string },
): Catalogue<Texts> => ({ en, ar });

/** Puts values into a text: `fill('{count} products', { count: 3 })`. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));

/** The first language of a list that the console supports. */
export const languageOf = (codes: readonly (string | null | undefined)[]): Language => {
  for (const code of codes) {
    const found = languages.find((language) => code?.toLowerCase().split('-')[0] === language);
    if (found) return found;
  }
  return 'en';
};

const rightToLeft = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

/** The direction of the script that a language is usually written in. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  try {
    return rightToLeft.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    // The service stores some codes that no standard has.
    return 'ltr';
  }
}
