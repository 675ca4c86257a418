import { stemsOf } from '#lib/ai/retrieval/words.ts';
import { shortened } from '../knowledge/plain-text.ts';

const charactersMax = 300;
/** The maximum length of text that is searched. */
const searchedCharactersMax = 50_000;
const sentenceEnd = /(?<=[.!?؟؛\n])\s+/;

/** The most relevant part of a text: from the sentence that matches the words best. */
export function passage(text: string, words: ReadonlySet<string>): string {
  if (text.length <= charactersMax) return text;
  const sentences = text.slice(0, searchedCharactersMax).split(sentenceEnd);
  const counts = sentences.map((sentence) => new Set(stemsOf(sentence).filter((word) => words.has(word))).size);
  const best = counts.indexOf(Math.max(...counts));
  return shortened(sentences.slice(best).join(' ').replaceAll('\n', ' '), charactersMax);
}
