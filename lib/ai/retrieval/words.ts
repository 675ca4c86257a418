import { arabicStem } from './arabic-stem.ts';
import { englishStem } from './english-stem.ts';
import { foldedWordsOf } from './folded-words.ts';
import { stopWords } from './stop-words.ts';
import { weakWords } from './weak-words.ts';

/** How many of something is wanted says nothing about what. */
const quantity = /^\d$/;
const arabicLetter = /[\u0621-\u064a]/;

/** The word of a folded word that others with the same meaning share. */
export const stemOf = (word: string): string => (arabicLetter.test(word) ? arabicStem(word) : englishStem(word));

const tellingWordsOf = (text: string): string[] =>
  foldedWordsOf(text).filter((word) => !stopWords.has(word) && !quantity.test(word));

/** What a text is about: its stems without stop words. */
export const stemsOf = (text: string): string[] => tellingWordsOf(text).map(stemOf);

/** The stems that alone say nothing of what a text is about; others of its words may have the same. */
export const weakStemsOf = (text: string): ReadonlySet<string> => {
  const words = tellingWordsOf(text);
  const strong = new Set(words.filter((word) => !isWeak(word)).map(stemOf));
  return new Set(
    words
      .filter(isWeak)
      .map(stemOf)
      .filter((stem) => !strong.has(stem)),
  );
};

const number = /^\d+$/;

/** Also with its article, and all numbers. */
const isWeak = (word: string): boolean =>
  number.test(word) || weakWords.has(word) || (word.startsWith('ال') && weakWords.has(word.slice(2)));
