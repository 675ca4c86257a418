import { stemsOf } from '../retrieval/words.ts';
import type { EntryAnswer, EntryFieldAnswer, Found } from '../tool-answers.ts';
import { factStems, type Question } from './intents.ts';
import type { Phrases } from './phrases.ts';

const quotedMax = 2;
const shortValueMax = 80;
const sentenceEnd = /[.!?؟…]$/;

/** A reply from what is published: the fact that is asked for, else what says most about the question. */
export function answerFromEntries(question: Question, found: Found<EntryAnswer>, phrases: Phrases): string {
  const { results, total } = found;
  const facts = results.flatMap((entry) => factLine(question, entry, phrases));
  const lines = facts.length > 0 ? facts : quotes(results, phrases);
  // Those that are not shown are counted only where they are as good as those that are.
  const rest =
    results.at(-1)?.match === results[0]?.match && lines.length === results.length ? total - results.length : 0;
  if (lines.length === 1) return lines.join('');
  return [...lines.map((line) => `- ${line}`), ...(rest > 0 ? [`- ${phrases.more(rest)}`] : [])].join('\n');
}

/** The fields of an entry that are named as the fact is: its opening hours, its address. */
function factLine(question: Question, { title, fields }: EntryAnswer, { semicolon }: Phrases): string[] {
  const wanted = factStems(question);
  const facts = fields.filter(({ name, value }) => value !== title && stemsOf(name).some((stem) => wanted.has(stem)));
  return facts.length === 0 ? [] : [`${title}: ${facts.map(({ value }) => value).join(semicolon)}`];
}

function quotes(entries: readonly EntryAnswer[], { semicolon }: Phrases): string[] {
  const best = entries[0]?.match ?? 0;
  return entries
    .filter(({ match }) => match === best)
    .map(({ title, fields }) => {
      const others = fields.filter(({ value }) => value !== title);
      const relevant = others.filter((field) => field.relevant);
      const told = (relevant.length > 0 ? relevant : others).slice(0, quotedMax);
      return told.length === 0 ? title : joined([title, joined(told.map(fieldText), semicolon)], ': ');
    });
}

/** A sentence ends by itself. */
const joined = (texts: readonly string[], separator: string): string =>
  texts.reduce((text, next) => `${text}${sentenceEnd.test(text) ? ' ' : separator}${next}`);

/** A short value says little without its name; a long one or a sentence is a text. */
const fieldText = ({ name, value }: EntryFieldAnswer): string =>
  value.length <= shortValueMax && !sentenceEnd.test(value) ? `${name}: ${value}` : value;
