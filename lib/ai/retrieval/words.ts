import { arabic } from '../languages/arabic.ts';
import { english } from '../languages/english.ts';
import { arabicStem } from './arabic-stem.ts';
import { englishStem } from './english-stem.ts';
import { foldedWordsOf } from './folded-words.ts';

const languages = [english, arabic];
const arabicLetter = /[\u0621-\u064a]/;
/** Quantities and single letters, such as HTML tags, do not tell what the customer wants. */
const quantity = /^[\da-z]$/;

const listOf = (name: 'noise' | 'weak'): ReadonlySet<string> =>
  new Set(languages.flatMap((language) => foldedWordsOf(language[name])));
const noise = listOf('noise');
const weak = listOf('weak');

/** The word that all forms of a folded word share. */
export const stemOf = (word: string): string => (arabicLetter.test(word) ? arabicStem(word) : englishStem(word));

/** Arabic writes "and" and the owner to the word. */
const bareForms = (word: string): string[] =>
  [word, word.replace(/^و/, ''), word.replace(/(?:ها|هم|كم|ه)$/, ''), word.replace(/^(?:وال|ال)/, '')].filter(
    (form) => form === word || form.length > 2,
  );
const isNoise = (word: string): boolean => quantity.test(word) || bareForms(word).some((form) => noise.has(form));

/** The subject of a text: its stems without question words. */
export const stemsOf = (text: string): string[] =>
  foldedWordsOf(text)
    .filter((word) => !isNoise(word))
    .map(stemOf);

/** The stems of a text that alone do not tell its topic. */
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

/** The stems of a text to be found: in Arabic also without a preposition or "and" that is written to a word. */
export const stemsInText = (text: string): string[] => stemsOf(text).flatMap((stem) => [stem, ...prefixed(stem)]);

/** A stem with those that mean about the same, in all languages. */
export const alternativesOf = (stem: string): ReadonlySet<string> =>
  new Set([stem, ...(synonyms.get(stem) ?? []), ...prefixed(stem)]);

/** An Arabic word may have a preposition written to it. */
const prefixed = (stem: string): string[] =>
  /^[بلكفو][\u0621-\u064a]{3,}$/.test(stem) ? [arabicStem(stem.slice(1))] : [];
