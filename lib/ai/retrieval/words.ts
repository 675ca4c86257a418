import { foldText } from '#lib/domain/text/folded-text.ts';
import { arabic } from '../languages/arabic.ts';
import { english } from '../languages/english.ts';
import { synonymGroups } from '../languages/synonyms.ts';

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;

/** The folded words of a text, in order, without apostrophes and the possessive ending. */
export const foldedWordsOf = (text: string): string[] =>
  foldText(text)
    .replaceAll(/'s(?!\p{L})/gu, '')
    .replaceAll(/['`]/g, '')
    .match(wordPattern) ?? [];

const prefixes = ['وال', 'بال', 'كال', 'فال', 'ولل', 'لل', 'ال'];
const suffixes = ['كم', 'نا', 'هم', 'ها', 'ات', 'ان', 'ون', 'ين', 'يه', 'ه', 'ي'];
const stemLengthMin = 3;

/** Removes the article and the endings of number, gender and possession from a folded Arabic word. */
function arabicStem(word: string): string {
  const stem = verbStem(word) ?? withoutPrefix(word);
  return suffixes.reduce(
    (stem, suffix) =>
      stem.endsWith(suffix) && stem.length - suffix.length >= stemLengthMin ? stem.slice(0, -suffix.length) : stem,
    stem,
  );
}

/** Removes the prefix of person and the ending of number from a verb, as in "you deliver". */
function verbStem(word: string): string | undefined {
  const isVerb = /^[تي]/.test(word) && /(?:ون|وا)$/.test(word) && word.length >= stemLengthMin + 3;
  return isVerb ? word.slice(1, -2) : undefined;
}

function withoutPrefix(word: string): string {
  const prefix = prefixes.find((start) => word.startsWith(start) && word.length - start.length >= stemLengthMin - 1);
  return prefix ? word.slice(prefix.length) : word;
}

/**
 * Removes the plural and the most common verb endings from a folded English word. It is crude, but the same for
 * questions and records.
 */
function englishStem(word: string): string {
  return withoutFinalE(withoutVerbEnding(singular(word))).replaceAll('ph', 'f');
}

function singular(word: string): string {
  if (word.length < 4) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|[cs]h)es$/.test(word)) return word.slice(0, -2);
  return /[^siu]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutVerbEnding(word: string): string {
  if (word.endsWith('ery') && word.length >= 8) return word.slice(0, -1);
  if (word.endsWith('ing') && word.length >= 7) return undoubled(word.slice(0, -3));
  return word.endsWith('ed') && word.length >= 6 ? undoubled(word.slice(0, -2)) : word;
}

/** "Shipping" comes from "ship", but "grilling" from "grill". */
const undoubled = (stem: string): string => (/([bdgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem);

const withoutFinalE = (word: string): string => (word.endsWith('e') && word.length >= 5 ? word.slice(0, -1) : word);

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

const synonyms = new Map<string, ReadonlySet<string>>();
for (const words of synonymGroups.split('\n')) {
  const group = foldedWordsOf(words).map(stemOf);
  for (const stem of group) synonyms.set(stem, new Set([...(synonyms.get(stem) ?? []), ...group]));
}

/** The stems of a text for the index. Arabic words are also added without a joined preposition or "and". */
export const stemsInText = (text: string): string[] => stemsOf(text).flatMap((stem) => [stem, ...prefixed(stem)]);

/** A stem and its synonyms in all languages. */
export const alternativesOf = (stem: string): ReadonlySet<string> =>
  new Set([stem, ...(synonyms.get(stem) ?? []), ...prefixed(stem)]);

/** An Arabic word may have a joined preposition. */
const prefixed = (stem: string): string[] =>
  /^[بلكفو][\u0621-\u064a]{3,}$/.test(stem) ? [arabicStem(stem.slice(1))] : [];
