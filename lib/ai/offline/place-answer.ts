import { foldedWordsOf } from '../retrieval/folded-words.ts';
import { wideStemsOf } from '../retrieval/synonyms.ts';
import { stemOf, stemsOf, weakStemsOf } from '../retrieval/words.ts';
import type { EntryAnswer, Found } from '../tool-answers.ts';
import { answerFromEntries, linesText } from './entry-answer.ts';
import type { Intent } from './intent-words.ts';
import type { Lookups } from './lookups.ts';
import type { Phrases } from './phrases.ts';
import { placeIntents, placeOf, type Question } from './question.ts';

const matchMin = 0.5;

interface Fact {
  /** What fields for it are called, and pages about it. */
  readonly words: string;
  /** What any value for it has in it. */
  readonly value: RegExp;
}

const facts: Readonly<Partial<Record<Intent, Fact>>> = {
  hours: { words: 'opening hours', value: /\d|[a-z]|[\u0621-\u064a]/i },
  address: { words: 'address', value: /^[^@]*\p{L}[^@]*$/u },
  phone: { words: 'phone', value: /\d[^@]*\d[^@]*\d/ },
  email: { words: 'email', value: /@/ },
};

/** What to search for: the place, if a certain one is meant, and the facts wherever they are. */
export const placeQueries = (question: Question): string[] => [
  ...new Set([placeOf(question), factQuery(question)].filter((query) => stemsOf(query).length > 0)),
];

/** The words of the facts asked for. */
const factQuery = ({ intents }: Question): string =>
  placeIntents.flatMap((intent) => (intents.has(intent) ? [facts[intent]?.words ?? ''] : [])).join(' ');

/** Opening hours, addresses and the like: of the place that is named, else of all. */
export function answerFromPlaces(question: Question, lookups: Lookups, phrases: Phrases): string | undefined {
  const place = placeOf(question);
  const general = lookups.entries(factQuery(question));
  const named = lookups.entries(place).results.filter((entry) => entry.match >= matchMin || isCalledLike(entry, place));
  const lines = named.flatMap((entry) => factLine(question, entry, phrases));
  if (lines.length > 0) return linesText(lines, 0, phrases);
  const [category] = lookups.categories;
  if (category?.named && category.description) return phrases.description(category.name, category.description);
  const both = named.filter(({ id, modelId }) =>
    general.results.some((other) => other.id === id && other.modelId === modelId),
  );
  if (both.length > 0) return answerFromEntries(place, { results: both, total: both.length }, phrases);
  if (named.length > 0) return answerFromEntries(place, { results: named, total: named.length }, phrases);
  const all = answerFromAll(question, general, phrases);
  const weak = weakStemsOf(place);
  const isOther = all !== undefined && stemsOf(place).some((stem) => !weak.has(stem));
  return isOther ? `${phrases.otherPlace}\n${all}` : all;
}

/** Whether the title has a word of the place; the other words may be of anything. */
function isCalledLike({ title }: EntryAnswer, place: string): boolean {
  const weak = weakStemsOf(place);
  const asked = new Set(stemsOf(place).filter((stem) => !weak.has(stem)));
  return stemsOf(title).some((stem) => asked.has(stem));
}

function answerFromAll(question: Question, found: Found<EntryAnswer>, phrases: Phrases): string | undefined {
  const { results, total } = found;
  const lines = results.flatMap((entry) => factLine(question, entry, phrases));
  if (lines.length > 0) return linesText(lines, lines.length === results.length ? total - results.length : 0, phrases);
  return results[0] && results[0].match >= matchMin
    ? answerFromEntries(factQuery(question), found, phrases)
    : undefined;
}

/** The fields of an entry that are called as the facts are: its opening hours, its address. */
function factLine({ intents }: Question, { title, fields }: EntryAnswer, { semicolon }: Phrases): string[] {
  const wanted = placeIntents.flatMap((intent) => (intents.has(intent) ? [facts[intent] as Fact] : []));
  const told = fields.filter(
    ({ name, key, value }) =>
      value !== title && wanted.some((fact) => fact.value.test(value) && isCalled(`${name} ${inWords(key)}`, fact)),
  );
  return told.length === 0 ? [] : [`${title}: ${told.map(({ value }) => value).join(semicolon)}`];
}

function isCalled(label: string, { words }: Fact): boolean {
  const wanted = wideStemsOf(stemsOf(words));
  return foldedWordsOf(label).some((word) => wanted.has(stemOf(word)));
}

const inWords = (key: string): string => key.replaceAll('_', ' ').replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
