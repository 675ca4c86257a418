import { arabic } from '../languages/arabic.ts';
import { english } from '../languages/english.ts';
import { arabicStem } from './arabic-stem.ts';
import { englishStem } from './english-stem.ts';
import { foldedWordsOf } from './folded-words.ts';

const languages = [english, arabic];
const arabicLetter = /[\u0621-\u064a]/;
/** Numbers and single letters, e.g. of HTML tags, are ignored. */
const quantity = /^[\da-z]$/;

const listOf = (name: 'noise' | 'weak'): ReadonlySet<string> =>
  new Set(languages.flatMap((language) => foldedWordsOf(language[name])));
const noise = listOf('noise');
const weak = listOf('weak');

/** The common stem of all forms of a folded word. */
export const stemOf = (word: string): string => (arabicLetter.test(word) ? arabicStem(word) : englishStem(word));

/** Arabic joins "and" and possessives to the word. */
const bareForms = (word: string): string[] =>
  [word, word.replace(/^و/, ''), word.replace(/(?:ها|هم|كم|ه)$/, ''), word.replace(/^(?:وال|ال)/, '')].filter(
    (form) => form === word || form.length > 2,
  );
const isNoise = (word: string): boolean => quantity.test(word) || bareForms(word).some((form) => noise.has(form));

/** The stems of a text without stop words. */
export const stemsOf = (text: string): string[] =>
  foldedWordsOf(text)
    .filter((word) => !isNoise(word))
    .map(stemOf);

/** The one-digit numbers in a text. They are not searched, but distinguish names. */
export const digitsOf = (text: string): string[] => foldedWordsOf(text).filter((word) => /^\d$/.test(word));

/** The stems of a text that say nothing about its topic by themselves. */
export const weakStemsOf = (text: string): ReadonlySet<string> =>
  new Set(
    foldedWordsOf(text)
      .filter((word) => /^\d+$/.test(word) || bareForms(word).some((form) => weak.has(form)))
      .map(stemOf),
  );

const synonyms = new Map<string, Set<string>>();
for (const head of new Set(languages.flatMap((language) => Object.keys(language.synonyms)))) {
  const group = languages.flatMap((language) => foldedWordsOf(language.synonyms[head] ?? '').map(stemOf));
  for (const stem of group) {
    const others = synonyms.get(stem) ?? new Set();
    synonyms.set(stem, others);
    for (const other of group) others.add(other);
  }
}

/** The stems of a text for the index. Arabic words are also added without a joined preposition or "and". */
export const stemsInText = (text: string): string[] => stemsOf(text).flatMap((stem) => [stem, ...prefixed(stem)]);

/** A stem and its synonyms in all languages. */
export const alternativesOf = (stem: string): ReadonlySet<string> =>
  new Set([stem, ...(synonyms.get(stem) ?? []), ...prefixed(stem)]);

/** An Arabic word may have a joined preposition. */
const prefixed = (stem: string): string[] =>
  /^[بلكفو][\u0621-\u064a]{3,}$/.test(stem) ? [arabicStem(stem.slice(1))] : [];
