import { wideStemsOf } from '../retrieval/synonyms.ts';
import { stemsOf, weakStemsOf } from '../retrieval/words.ts';
import type { EntryAnswer } from '../tool-answers.ts';
import { isNamed, linesText, quote } from './entry-answer.ts';
import type { Lookups } from './lookups.ts';
import type { Phrases } from './phrases.ts';
import { isVague, type Question } from './question.ts';

/** The database that a question names without naming anything in it: "What services do you offer?" */
export function databaseAsked(question: Question, lookups: Lookups): string | undefined {
  const named = databaseNamed(question, lookups);
  return named && isAllOf(question, named) ? named.modelId : undefined;
}

/** The database that a question names in passing; what else it says is not known. */
export function databaseMentioned(question: Question, lookups: Lookups): string | undefined {
  const named = databaseNamed(question, lookups);
  return named && !isVague({ ...question, query: named.database }) ? named.modelId : undefined;
}

function databaseNamed({ query }: Question, lookups: Lookups): EntryAnswer | undefined {
  const asked = wideStemsOf(stemsOf(query));
  return lookups.entries(query).results.find(({ database }) => isNamed(database, asked));
}

/** Whether a question names nothing but a database, or what its entries are called. */
function isAllOf({ query }: Question, { database, title, fields }: EntryAnswer): boolean {
  const weak = weakStemsOf(query);
  const titles = fields.filter(({ value }) => value === title).map(({ name }) => name);
  const words = wideStemsOf(stemsOf([database, ...titles].join(' ')));
  return stemsOf(query).every((stem) => weak.has(stem) || words.has(stem));
}

/** A line for each entry of the database that was listed. */
export function answerFromDatabase(question: Question, { database }: Lookups, phrases: Phrases): string | undefined {
  const [first] = database?.results ?? [];
  if (!database || !first) return undefined;
  const lines = database.results.map((entry) => quote(entry, question, phrases));
  const text = linesText(lines, database.total - lines.length, phrases);
  return isAllOf(question, first) ? text : `${phrases.closest}\n${text}`;
}
