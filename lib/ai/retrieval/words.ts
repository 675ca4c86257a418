import { arabicStem, withoutLetterPrefix } from './arabic-stem.ts';
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
  foldedWordsOf(text).filter((word) => !isStopWord(word) && !quantity.test(word));

const isSaid = (word: string): boolean =>
  stopWords.has(word) ||
  owners.some(
    (owner) => word.endsWith(owner) && word.length > owner.length + 3 && stopWords.has(word.slice(0, -owner.length)),
  );

/** Also with the Arabic "and" before it, or "it" or "them" after it, which are written to the word. */
const isStopWord = (word: string): boolean =>
  isSaid(word) || (word.startsWith('و') && word.length > 3 && isSaid(word.slice(1)));

const owners = ['ها', 'هم', 'ه'];

/** What a text is about: its stems without stop words. */
export const stemsOf = (text: string): string[] => tellingWordsOf(text).map(stemOf);

const foreignWordsMin = 3;

/** Whether a text has nothing of the words that are in nearly every sentence of the languages that are known here. */
export function isForeign(text: string): boolean {
  const words = foldedWordsOf(text);
  return (
    words.length >= foreignWordsMin &&
    !words.some((word) => arabicLetter.test(word) || isStopWord(word) || isWeak(word))
  );
}

/** Those of a text to be found: lists in Arabic have "and" written to each of their words, which counts both ways. */
export const stemsInText = (text: string): string[] =>
  stemsOf(text).flatMap((stem) => [stem, (stem.startsWith('و') && withoutLetterPrefix(stem)) || []].flat());

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

/** Also with its article or a conjunction, and all numbers. */
const isWeak = (word: string): boolean =>
  number.test(word) || weakWords.has(word) || weakWords.has(word.replace(/^(?:وال|ال|و)/, ''));
