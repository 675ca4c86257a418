import { arabic } from '../languages/arabic.ts';
import { english, type FactKind, type Intent } from '../languages/english.ts';
import { foldedWordsOf, stemsOf, weakStemsOf } from '../retrieval/words.ts';

/** The parsed question of a message. */
export interface Question {
  readonly text: string;
  readonly intents: ReadonlySet<Intent>;
  /** The wanted fact about a place, e.g. its phone number. */
  readonly fact: FactKind | undefined;
  /** The search words of the message, without words of its intents. */
  readonly topic: string;
  /** The stems of the topic that must be found. */
  readonly content: ReadonlySet<string>;
}

const languages = [english, arabic];
const intentNames = Object.keys(english.intents) as Intent[];
const factKinds = ['hours', 'phone', 'email', 'address'] as const satisfies readonly FactKind[];
const charactersMax = 1_000;

const phrasesOf = (intent: Intent): readonly string[] =>
  languages.flatMap((language) => language.intents[intent].split(',').map((words) => foldedWordsOf(words).join(' ')));
const intentPhrases = new Map(intentNames.map((intent) => [intent, phrasesOf(intent)] as const));
/** The words of these intents are never the topic. The words of other intents may be. */
const mannerIntents: readonly Intent[] = ['price', 'availability', 'categories', 'greeting', 'thanks'];

/** Parses a message by its words, in any of the languages. */
export function readQuestion(message: string): Question {
  const text = message.slice(0, charactersMax);
  const words = ` ${foldedWordsOf(text).join(' ')} `;
  const phrasesOf = (intent: Intent): readonly string[] =>
    (intentPhrases.get(intent) ?? []).filter((phrase) => phrase !== '' && words.includes(` ${phrase} `));
  const intents = new Set(intentNames.filter((intent) => phrasesOf(intent).length > 0));
  const fact = intents.has('price') ? undefined : factKinds.find((kind) => intents.has(kind));
  const isOfAllergens = intents.has('allergens') && intents.has('free');
  const askedIntents = [...(fact ? factKinds : []), ...(isOfAllergens ? (['allergens', 'free'] as const) : [])];
  const intentWords = [...mannerIntents, ...askedIntents].flatMap(phrasesOf);
  const topic = without(words, intentWords);
  const weak = weakStemsOf(topic);
  const stems = stemsOf(topic);
  const strong = stems.filter((stem) => !weak.has(stem));
  return { text, intents, fact, topic: topic.trim(), content: new Set(fact ? strong : stems) };
}

/** Removes phrases, longest first, because one may be a part of another. */
function without(words: string, phrases: readonly string[]): string {
  return phrases
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, phrase) => text.replaceAll(` ${phrase} `, ' '), words);
}
