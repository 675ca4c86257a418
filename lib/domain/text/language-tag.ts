/** A language such as `en` or `en-GB`, in any case (lib/spec/decisions.md section 2). */
export const languagePattern = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;

/** Equal for spellings of one language, which differ only by case (lib/spec/additions.md section 9, "Languages"). */
export const languageKey = (language: string): string => language.toLowerCase();

/** A language in the spelling of a list, or undefined if the list does not have it. */
export function languageIn(languages: readonly string[], language: string): string | undefined {
  if (languages.includes(language)) return language;
  if (!languagePattern.test(language)) return undefined;
  const key = languageKey(language);
  return languages.find((own) => languageKey(own) === key);
}

export const isArabic = (language: string): boolean => /^ar\b/i.test(language);

/** The texts in some languages; the same object if it has no others. */
export function textsIn<Texts extends object>(texts: Texts, languages: readonly string[]): Texts {
  const members = Object.entries(texts);
  const supported = members.filter(([language]) => languages.includes(language));
  return supported.length === members.length ? texts : (Object.fromEntries(supported) as Texts);
}
