import { wideStemsOf } from '../retrieval/synonyms.ts';
import { stemsOf } from '../retrieval/words.ts';
import type { EntryAnswer, EntryFieldAnswer, Found } from '../tool-answers.ts';
import type { Phrases } from './phrases.ts';

const quotedMax = 2;
const shortValueMax = 80;
const sentenceEnd = /[.!?؟…]$/;

/** A reply from what is published: of what says most about the question. */
export function answerFromEntries(query: string, { results, total }: Found<EntryAnswer>, phrases: Phrases): string {
  const asked = wideStemsOf(stemsOf(query));
  const ofDatabase = results.filter(({ database }) => isNamed(database, asked));
  const lines = quotes(ofDatabase.length > 0 ? ofDatabase : results, asked, phrases);
  // Those that are not shown are counted only where they are as good as those that are.
  const rest = lines.length === results.length ? total - results.length : 0;
  return linesText(lines, rest, phrases);
}

/** Who asks for offers means the database of offers, not all that is offered. */
function isNamed(database: string, asked: ReadonlySet<string>): boolean {
  const stems = stemsOf(database);
  return stems.length > 0 && stems.every((stem) => asked.has(stem));
}

/** One line as it is, several as a list. */
export function linesText(lines: readonly string[], rest: number, phrases: Phrases): string {
  if (lines.length === 1) return lines.join('');
  return [...lines.map((line) => `- ${line}`), ...(rest > 0 ? [`- ${phrases.more(rest)}`] : [])].join('\n');
}

/** What those entries say that match the question best. */
function quotes(entries: readonly EntryAnswer[], asked: ReadonlySet<string>, { semicolon }: Phrases): string[] {
  const best = entries[0]?.match ?? 0;
  return entries
    .filter(({ match }) => match === best)
    .map((entry) => {
      const told = toldOf(entry, asked);
      return told.length === 0 ? entry.title : joined([entry.title, joined(told.map(fieldText), semicolon)], ': ');
    });
}

/** The fields that are asked for by what they are called, else those that say something about the question. */
function toldOf({ title, fields }: EntryAnswer, asked: ReadonlySet<string>): readonly EntryFieldAnswer[] {
  const others = fields.filter(({ value }) => value !== title);
  const called = others.filter(({ name }) => stemsOf(name).some((stem) => asked.has(stem)));
  if (called.length > 0) return called.slice(0, quotedMax);
  const relevant = others.filter((field) => field.relevant);
  return (relevant.length > 0 ? relevant : others).slice(0, quotedMax);
}

/** A sentence ends by itself. */
const joined = (texts: readonly string[], separator: string): string =>
  texts.reduce((text, next) => `${text}${sentenceEnd.test(text) ? ' ' : separator}${next}`);

/** A short value says little without its name; a long one or a sentence is a text. */
const fieldText = ({ name, value }: EntryFieldAnswer): string =>
  value.length <= shortValueMax && !sentenceEnd.test(value) ? `${name}: ${value}` : value;
