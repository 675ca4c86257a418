import { foldedWordsOf } from '../retrieval/folded-words.ts';

function pattern(list: string): RegExp {
  const words = list.split(',').map((one) => foldedWordsOf(one).join(' '));
  return new RegExp(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`, 'u');
}

const soldOut = pattern('sold out, out of stock, unavailable, خلص, خلصت, خلصان, نفد, نفدت, نفذ, غير متوفر, مو متوفر');
const which = pattern('what, whats, which, anything, list, ماذا, وش, ايش, شو, شنو, شنهو, أي شي, الأشياء, الأصناف');

/** Whether a text asks which things are sold out, and not whether a certain one is. */
export function asksForSoldOut(text: string): boolean {
  const words = foldedWordsOf(text).join(' ');
  return soldOut.test(words) && which.test(words);
}
