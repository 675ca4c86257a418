import * as z from 'zod/mini';
import { type Issue, isObject } from '../input.ts';
import { newerRule } from '../schema-rules.ts';
import { LanguageCode } from './identifier.ts';
import { languageKey } from './language-tag.ts';

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
