import { isBlank } from '#lib/domain/text/blank.ts';

/** The text in the first of these languages with one, or in any language; empty without a text. */
export function textIn(
  text: Readonly<Record<string, string>> | null | undefined,
  languages: readonly string[],
): string {
  if (!text) return '';
  const found = languages.map((language) => text[language]).find((value) => value !== undefined && !isBlank(value));
  return found ?? Object.values(text).find((value) => !isBlank(value)) ?? '';
}

/** The languages of the workspace in which a text is missing. */
export const languagesMissing = (
  text: Readonly<Record<string, string>> | null | undefined,
  languages: readonly string[],
): string[] => languages.filter((language) => isBlank(text?.[language] ?? ''));
