/** The text in the first of these languages with one, or in any language; empty without a text. */
export function textIn(
  text: Readonly<Record<string, string>> | null | undefined,
  languages: readonly string[],
): string {
  if (!text) return '';
  const found = languages.map((language) => text[language]).find((value) => value !== undefined && value.trim() !== '');
  return found ?? Object.values(text).find((value) => value.trim() !== '') ?? '';
}

/** The languages of the workspace in which a text is missing. */
export const languagesMissing = (
  text: Readonly<Record<string, string>> | null | undefined,
  languages: readonly string[],
): string[] => languages.filter((language) => !text?.[language]?.trim());
