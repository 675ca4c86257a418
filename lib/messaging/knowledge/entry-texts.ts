import type { IndexedText } from '#lib/ai/retrieval/text-index.ts';
import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import type { Localized } from '#lib/domain/text/localized.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import { type EntryFact, factsOf, labelsOf, titleOf } from './entry-facts.ts';

const titleCharactersMax = 300;
/** The maximum size of all texts of an entry. */
const indexedCharactersMax = 16_000;

/** Search texts of an entry in all languages: the texts and names of its visible fields, and its own names. */
export function entryTexts(model: Model, entry: StoredEntry, languages: readonly string[]): IndexedText {
  const facts = factsOf(model, entry, languages);
  const labels = [...Object.values(model.name), ...facts.flatMap(({ field }) => labelsOf(field))];
  return { name: Object.values(shortTitle(facts)), texts: [...labels, ...fitting(facts.flatMap(factTexts))] };
}

/** The title of an entry in all its languages, shortened. */
export const shortTitle = (facts: readonly EntryFact[]): Localized =>
  Object.fromEntries(
    Object.entries(titleOf(facts)).map(([language, text]) => [language, start(text, titleCharactersMax)]),
  );

/** The texts of one field. Fields without words, such as numbers and dates, have none. */
export function factTexts({ field, value }: EntryFact): string[] {
  switch (field.type) {
    case 'text':
    case 'longText':
    case 'richText':
      return field.localized ? Object.values(value as Localized) : [String(value)];
    case 'select':
      return optionTexts(field, [value as string]);
    case 'multiSelect':
      return optionTexts(field, value as string[]);
    case 'email':
    case 'phone':
      return [String(value)];
    default:
      return [];
  }
}

const optionTexts = ({ options = [] }: Field, chosen: readonly string[]): string[] =>
  chosen.flatMap((name) => Object.values(options.find(({ value }) => value === name)?.label ?? { '': name }));

function fitting(texts: readonly string[]): string[] {
  let left = indexedCharactersMax;
  return texts.map((text) => {
    const part = start(text, left);
    left -= part.length;
    return part;
  });
}

/** The start of a text, as a copy. A slice would keep the whole text in memory while the index has a word of it. */
const start = (text: string, length: number): string =>
  text.length <= length ? text : Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
