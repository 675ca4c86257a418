import { foldedWordsOf } from './folded-words.ts';
import { wideStemsOf } from './synonyms.ts';
import { stemOf, stemsOf } from './words.ts';

const where = new Set(foldedWordsOf('where أين وين فين'));
const when = new Set(foldedWordsOf('when time hours days you we متى وقت أوقات ساعات أيام هل'));
const opening = wideStemsOf(stemsOf('open close'));

/** The words that a title would have if it were no question: "Where are you?" is about an address. */
export function askedWords(title: string): string {
  const words = foldedWordsOf(title);
  if (words.some((word) => where.has(word))) return 'address';
  return words.some((word) => when.has(word)) && words.some((word) => opening.has(stemOf(word))) ? 'opening hours' : '';
}
