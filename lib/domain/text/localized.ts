import * as z from 'zod/mini';
import type { Issue } from '../issue.ts';
import { isObject } from '../json-object.ts';
import { newerRule } from '../schema-issue.ts';
import { isBlank } from './blank.ts';
import { LanguageCode } from './identifier.ts';
import { languageIn, languageKey } from './language-tag.ts';

/**
 * A text in several languages: an object of language code to text (lib/spec/interface.md section 2.1). `null` clears a
 * language (lib/spec/additions.md section 9, "Names").
 */
export const Localized = z.pipe(
  z.pipe(z.record(LanguageCode, z.nullable(z.string())).check(newerRule(repeatedLanguages)), z.transform(withoutNulls)),
  z.record(LanguageCode, z.string()),
);
export type Localized = z.infer<typeof Localized>;

/** The texts of the languages that are not cleared. */
export function withoutNulls<Text>(texts: Readonly<Record<string, Text | null>>): Record<string, Text> {
  return Object.fromEntries(Object.entries(texts).filter((member): member is [string, Text] => member[1] !== null));
}

/** Whether some language has a text that is not blank (lib/spec/decisions.md section 3, required fields). */
export const hasText = (localized: object): boolean =>
  Object.values(localized).some((text) => typeof text === 'string' && !isBlank(text));

/** Issues for languages that the workspace does not have (lib/spec/workspace-document.md section 2). */
export function unknownLanguages(localized: object, languages: readonly string[]): Issue[] {
  const message = `Must be in one of the workspace's languages: ${languages.join(', ')}.`;
  return Object.keys(localized)
    .filter((language) => languageIn(languages, language) === undefined)
    .map((language) => ({ path: language, code: 'not_allowed', message }));
}

/** Issues for languages that texts have in several spellings (lib/spec/additions.md section 9, "Languages"). */
export function repeatedLanguages(texts: unknown): Issue[] {
  const seen = new Set<string>();
  const repeated = Object.keys(isObject(texts) ? texts : {}).filter((language) => {
    const key = languageKey(language);
    return seen.size === seen.add(key).size;
  });
  const message = 'Must not have the same language twice; case does not count.';
  return repeated.map((language) => ({ path: language, code: 'duplicate', message, isNewer: true }));
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

/** The texts in some languages; the same object if it has no others. */
export function textsIn<Texts extends object>(texts: Texts, languages: readonly string[]): Texts {
  const members = Object.entries(texts);
  const supported = members.filter(([language]) => languages.includes(language));
  return supported.length === members.length ? texts : (Object.fromEntries(supported) as Texts);
}
