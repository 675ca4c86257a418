import type { Issue } from '../input.ts';
import { languageIn } from './language-tag.ts';

/** Issues for languages that the workspace does not have (lib/spec/workspace-document.md section 2). */
export function unknownLanguages(localized: object, languages: readonly string[]): Issue[] {
  const message = `Must be in one of the workspace's languages: ${languages.join(', ')}.`;
  return Object.keys(localized)
    .filter((language) => languageIn(languages, language) === undefined)
    .map((language) => ({ path: language, code: 'not_allowed', message }));
}

/**
 * Texts whose languages have the spelling of the workspace; the same object if all have it. A language that is there
 * in several spellings keeps all but one.
 */
export function spelledTexts<Texts extends object>(texts: Texts, languages: readonly string[]): Texts {
  const names = Object.keys(texts);
  const spelled = new Set<string>();
  for (const name of names) {
    const own = languageIn(languages, name) ?? name;
    spelled.add(spelled.has(own) || (own !== name && names.includes(own)) ? name : own);
  }
  if (names.every((name) => spelled.has(name))) return texts;
  const spellings = [...spelled];
  return Object.fromEntries(Object.values(texts).map((text, index) => [spellings[index], text])) as Texts;
}
