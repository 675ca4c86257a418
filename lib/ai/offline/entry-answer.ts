import { wideStemsOf } from '../retrieval/synonyms.ts';
import { stemsOf } from '../retrieval/words.ts';
import type { EntryAnswer, EntryFieldAnswer, Found } from '../tool-answers.ts';
import { factFields } from './fact-fields.ts';
import type { Phrases } from './phrases.ts';
import type { Question } from './question.ts';

type Asked = Pick<Question, 'query' | 'intents'>;

const quotedMax = 2;
const shortValueMax = 80;
const sentenceEnd = /[.!?؟…]$/;

/** A reply from what is published: of what says most about the question. */
export function answerFromEntries(question: Asked, { results, total }: Found<EntryAnswer>, phrases: Phrases): string {
  const asked = wideStemsOf(stemsOf(question.query));
  const ofDatabase = results.filter(({ database }) => isNamed(database, asked));
  const best = bestOf(ofDatabase.length > 0 ? ofDatabase : results, asked);
  const alsoAsked = results.filter((entry) => !best.includes(entry) && isQuestionAsked(entry, asked));
  const lines = [...best, ...alsoAsked].map((entry) => quote(entry, question, phrases));
  // Those that are not shown are counted only where they are as good as those that are.
  const rest = lines.length === results.length ? total - results.length : 0;
  return linesText(lines, rest, phrases);
}

/** Whether a page is a question that is asked among other things: "Does it hurt?" of a treatment. */
export function isQuestionAsked({ title }: EntryAnswer, asked: ReadonlySet<string>): boolean {
  if (!/[?؟]$/.test(title)) return false;
  const stems = stemsOf(title);
  return stems.length > 0 && stems.every((stem) => asked.has(stem));
}

/** Who asks for offers means the database of offers, not all that is offered. */
export function isNamed(database: string, asked: ReadonlySet<string>): boolean {
  const stems = stemsOf(database);
  return stems.length > 0 && stems.every((stem) => asked.has(stem));
}

/** One line as it is, several as a list. */
export function linesText(lines: readonly string[], rest: number, phrases: Phrases): string {
  if (lines.length === 1) return lines.join('');
  return [...lines.map((line) => `- ${line}`), ...(rest > 0 ? [`- ${phrases.more(rest)}`] : [])].join('\n');
}

/** Those entries that match the question best; of them those that are called by most of its words. */
function bestOf(entries: readonly EntryAnswer[], asked: ReadonlySet<string>): readonly EntryAnswer[] {
  const best = entries.filter(({ match }) => match === entries[0]?.match);
  const counts = best.map(({ title }) => new Set(stemsOf(title).filter((stem) => asked.has(stem))).size);
  const most = Math.max(...counts);
  return best.filter((_, index) => counts[index] === most);
}

/** What an entry says to a question, after its title. */
export function quote(entry: EntryAnswer, question: Asked, { semicolon }: Phrases): string {
  const told = toldOf(entry, question);
  return told.length === 0 ? entry.title : joined([entry.title, joined(told.map(fieldText), semicolon)], ': ');
}

/** The fields that tell what is asked for, else those called by it, else those that say something about the question. */
function toldOf({ title, fields }: EntryAnswer, { query, intents }: Asked): readonly EntryFieldAnswer[] {
  const others = fields.filter(({ value }) => value !== title);
  const asked = wideStemsOf(stemsOf(query));
  const called = others.filter(({ name }) => stemsOf(name).some((stem) => asked.has(stem)));
  const found = [...new Set([...factFields(others, [...intents]), ...called])];
  if (found.length > 0) return found.slice(0, quotedMax);
  const relevant = others.filter((field) => field.relevant);
  return (relevant.length > 0 ? relevant : others).slice(0, quotedMax);
}

/** A sentence ends by itself. */
const joined = (texts: readonly string[], separator: string): string =>
  texts.reduce((text, next) => `${text}${sentenceEnd.test(text) ? ' ' : separator}${next}`);

/** A short value says little without its name; a long one or a sentence is a text. */
const fieldText = ({ name, value }: EntryFieldAnswer): string =>
  value.length <= shortValueMax && !sentenceEnd.test(value) ? `${name}: ${value}` : value;
