import { foldedWordsOf } from '../retrieval/folded-words.ts';

/** The Arabic "and" is written to the next word; some words only begin like that. */
const beginnings =
  /^(?:and|what about|how about|also|plus|ok and|طيب و|طب و|و(?!ش |ين |قت|احد|جب|سط))(?! ?(?:thanks|thank))/u;
const standIns = new Set(['one', 'ones']);

/** Whether a text goes on with what was spoken of before: "and the large one?" */
export function refersBack(text: string): boolean {
  const words = foldedWordsOf(text);
  return beginnings.test(`${words.join(' ')} `) || words.some((word) => standIns.has(word));
}

const questionWords = new Set(
  foldedWordsOf(`
    what whats how when where which who why do does did is are can could will would have
    ما ماذا هل كم بكم متى أين وين كيف ليش لماذا وش ايش شنو شو مين من عندكم فيه
  `),
);

/** Whether a text has a word that questions begin with. */
export const isAsking = (text: string): boolean => foldedWordsOf(text).some((word) => questionWords.has(word));
