import { foldedWordsOf } from '../retrieval/folded-words.ts';
import { stemOf } from '../retrieval/words.ts';
import { type Intent, intentWords } from './intent-words.ts';

const patterns = Object.entries(intentWords).map(
  ([intent, list]) => [intent as Intent, list.split(',').map((words) => foldedWordsOf(words).join(' '))] as const,
);

/** "For 120 guests", "ل ٨٠ شخص": so many come to no table. */
const crowd = /(?:^|[^\d.])([1-9]\d{1,4}) ?(?:guests|people|persons|pax|attendees|ضيف|ضيوف|شخص|شخصا|اشخاص|نفر)/;
const crowdMin = 15;

/** What a message asks, by its words; a machine's guess, the same for the same message. */
export function intentsOf(text: string): ReadonlySet<Intent> {
  const words = foldedWordsOf(text).join(' ');
  const spaced = ` ${words} `;
  const intents = new Set(
    patterns.flatMap(([intent, list]) => (list.some((wanted) => isIn(spaced, wanted)) ? [intent] : [])),
  );
  if (Number(crowd.exec(words)?.[1] ?? 0) >= crowdMin) intents.add('event');
  return intents;
}

const forms = [
  ...['', 'و', 'ال', 'وال', 'ب'].map((before) => [before, ''] as const),
  ['', 'ها'],
  ['', 'ه'],
  ['و', 'ها'],
  ['', 'كم'],
  ['و', 'كم'],
] as const;

/** Whole words, an Arabic one also with its article, a conjunction, or what makes it that of something. */
function isIn(spaced: string, words: string): boolean {
  return forms.some(([before, after]) => spaced.includes(` ${before}${words}${after} `));
}

/** The stems of the single words that intents are known by; those of several may mean anything by themselves. */
export const stemsOfIntents = (intents: readonly Intent[], wordsMax = 1): ReadonlySet<string> =>
  new Set(
    intents.flatMap((intent) =>
      intentWords[intent]
        .split(',')
        .map(foldedWordsOf)
        .filter(({ length }) => length <= wordsMax)
        .flat()
        .map(stemOf),
    ),
  );
