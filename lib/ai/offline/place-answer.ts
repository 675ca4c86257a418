import { wideStemsOf } from '../retrieval/synonyms.ts';
import { stemsOf, weakStemsOf } from '../retrieval/words.ts';
import type { EntryAnswer, Found } from '../tool-answers.ts';
import { answerFromEntries, linesText } from './entry-answer.ts';
import { factFields, wordsOfFact } from './fact-fields.ts';
import type { Lookups } from './lookups.ts';
import type { Phrases } from './phrases.ts';
import { placeIntents, placeOf, type Question } from './question.ts';

const matchMin = 0.5;
/** An hour may be one of anything. */
const hoursMatchMin = 0.75;

/** What to search for: the place, if a certain one is meant, and the facts wherever they are. */
export const placeQueries = (question: Question): string[] => [
  ...new Set([placeOf(question), ...factQueries(question)].filter((query) => stemsOf(query).length > 0)),
];

/** The words of the facts asked for. */
const factQuery = ({ intents }: Question): string =>
  placeIntents.flatMap((intent) => (intents.has(intent) ? [wordsOfFact(intent)] : [])).join(' ');

/** A page may say when it is open without a word of hours. */
const factQueries = (question: Question): string[] => [
  factQuery(question),
  ...(question.intents.has('hours') ? ['open'] : []),
];

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
  if (both.length > 0)
    return answerFromEntries({ ...question, query: place }, { results: both, total: both.length }, phrases);
  if (named.length > 0)
    return answerFromEntries({ ...question, query: place }, { results: named, total: named.length }, phrases);
  const all = factQueries(question)
    .map((query) => answerFromAll({ ...question, query }, lookups.entries(query), phrases))
    .find((text) => text !== undefined);
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
  const told = question.intents.has('hours') ? results.filter(tellsHours) : results;
  if (!told[0] || told[0].match < matchMin) return undefined;
  return answerFromEntries(question, { results: told, total: told.length }, phrases);
}

const timeOfDay = /\d[:.]\d\d|\d ?(?:am|pm|صباح|مساء)|\d ?(?:to|till|until|-|–|إلى|الى|حتى) ?\d/;

const hoursWords = wideStemsOf(stemsOf(wordsOfFact('hours')));

/** Whether it is about opening hours: because it is called so, or has times and the words for it. */
const tellsHours = ({ title, match, fields }: EntryAnswer): boolean =>
  (stemsOf(title).length > 0 && stemsOf(title).every((stem) => hoursWords.has(stem))) ||
  (match >= hoursMatchMin && fields.some(({ value }) => timeOfDay.test(value)));

/** The fields of an entry that tell the facts: its opening hours, its address. */
function factLine({ intents }: Question, { title, fields }: EntryAnswer, { semicolon }: Phrases): string[] {
  const others = fields.filter(({ value }) => value !== title);
  const told = factFields(
    others,
    placeIntents.filter((intent) => intents.has(intent)),
  );
  return told.length === 0 ? [] : [`${title}: ${told.map(({ value }) => value).join(semicolon)}`];
}
