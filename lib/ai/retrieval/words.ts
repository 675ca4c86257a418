import { foldText } from '#lib/domain/folded-text.ts';
import { arabicStem } from './arabic-stem.ts';
import { englishStem } from './english-stem.ts';
import { stopWords } from './stop-words.ts';

const wordPattern = /[\p{L}\p{N}]+/gu;
/** How many of something is wanted says nothing about what. */
const quantity = /^\d$/;
const arabicLetter = /[\u0621-\u064a]/;

/** The words of a text as they are compared: folded, without apostrophes, in their order. */
export const foldedWordsOf = (text: string): string[] =>
  foldText(text)
    .replaceAll(/['\u2019\u02bc`]/g, '')
    .match(wordPattern) ?? [];

/** The word of a folded word that others with the same meaning share. */
export const stemOf = (word: string): string => (arabicLetter.test(word) ? arabicStem(word) : englishStem(word));

/** What a text is about: its stems without stop words. */
export const stemsOf = (text: string): string[] =>
  foldedWordsOf(text)
    .filter((word) => !stopWords.has(word) && !quantity.test(word))
    .map(stemOf);
