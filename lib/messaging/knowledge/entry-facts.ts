import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import { ownValue } from '#lib/domain/input.ts';
import { hasShapeOf } from '#lib/domain/stored-shape.ts';
import { isBlank } from '#lib/domain/text/blank.ts';
import { isDay } from '#lib/domain/text/calendar.ts';
import { isArabic, languageIn, languageKey, textsIn } from '#lib/domain/text/language-tag.ts';
import type { Localized } from '#lib/domain/text/localized.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import { openingHoursText } from './opening-hours.ts';
import { shortened, withoutMarkup } from './plain-text.ts';

const nameCharactersMax = 150;

/** The language of a text in a reply: the language of the reply, else the next available one in order. */
export class ReaderLanguages {
  readonly #languages: readonly string[];

  /** @param languages that of the reply first */
  constructor(languages: readonly (string | undefined)[]) {
    const named = languages.filter((language) => language !== undefined);
    // A text in "en" serves a reader of "en-GB".
    const widened = named.flatMap((language) => {
      const base = language.replace(/-.*/, '');
      return language ? [language, languageIn(named, base) ?? languageKey(base)] : [];
    });
    this.#languages = [...new Set([...widened, 'en'])];
  }

  get first(): string {
    return this.#languages[0] ?? 'en';
  }

  /** A shortened text for a name. */
  name = (localized: Localized | null | undefined): string => shortened(this.text(localized).trim(), nameCharactersMax);

  text(localized: Localized | null | undefined): string {
    if (!localized) return '';
    const language = this.#languages.find((name) => Object.hasOwn(localized, name) && !isBlank(localized[name] ?? ''));
    return (
      (language === undefined ? Object.values(localized).find((text) => !isBlank(text)) : localized[language]) ?? ''
    );
  }
}

const relatedMax = 30;

/** The target and the ids of related records; undefined if the fact is not a relation. */
export const relatedOf = ({ field, value }: EntryFact): { readonly to: string; readonly ids: string[] } | undefined =>
  field.relation && {
    to: field.relation.to,
    ids: (Array.isArray(value) ? (value as string[]) : [String(value)]).slice(0, relatedMax),
  };

/** A visible field of an entry that has a value of the field's type. */
export interface EntryFact {
  readonly field: Field;
  readonly value: unknown;
}

/** The facts of an entry that a reply may use: those of visible fields, in the languages that the workspace has. */
export const factsOf = (
  { fields }: Model,
  { values }: Pick<StoredEntry, 'values'>,
  languages: readonly string[],
): EntryFact[] =>
  fields
    .filter(({ hidden }) => !hidden)
    .map((field) => ({ field, value: ownValue(values, field.key) ?? null }))
    .filter(({ field, value }) => value !== null && hasShapeOf(field, value))
    .map(({ field, value }) => ({ field, value: field.localized ? textsIn(value as Localized, languages) : value }));

/** The title of an entry in all languages: its first text. */
export function titleOf(facts: readonly EntryFact[]): Localized {
  const title =
    facts.find(({ field }) => field.type === 'text') ?? facts.find(({ field }) => field.type === 'longText');
  if (!title) return {};
  return title.field.localized ? (title.value as Localized) : { '': String(title.value) };
}

/** The name of a related record, if a reply may use it; `target` is as in the relation: `cms:<modelId>`, `menu:product`. */
export type TitleOfRelated = (target: string, id: string) => Localized | undefined;

/** The name of a field in all languages; without a name, its key in words. */
export function labelsOf({ name, key }: Field): string[] {
  const names = Object.values(name).filter((text) => !isBlank(text));
  return names.length > 0 ? names : [key.replaceAll('_', ' ').replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')];
}

/** A value as text in a language; blank for a value without a text form. */
export function factText(fact: EntryFact, languages: ReaderLanguages, titles: TitleOfRelated): string {
  const { field, value } = fact;
  const text = (localized: unknown): string => languages.text(localized as Localized);
  const labelOf = (chosen: string): string =>
    text(field.options?.find((option) => option.value === chosen)?.label) || chosen;
  const words = wordsFor(languages.first);
  switch (field.type) {
    case 'text':
    case 'longText':
    case 'richText':
      return withoutMarkup(field.localized ? text(value) : String(value));
    case 'boolean':
      return value ? words.yes : words.no;
    case 'date':
    case 'datetime':
      return momentText(String(value), languages.first);
    case 'select':
      return labelOf(value as string);
    case 'multiSelect':
      return (value as string[]).map(labelOf).join(words.comma);
    case 'json':
      return jsonText(JSON.parse(value as string), languages);
    case 'relation':
      return relatedText(fact, languages, titles);
    case 'media':
      return '';
    default:
      return String(value);
  }
}

const wordsFor = (language: string) =>
  isArabic(language) ? { yes: 'نعم', no: 'لا', comma: '، ' } : { yes: 'yes', no: 'no', comma: ', ' };

/**
 * A day in words, with its local time if it has one. A value that is no day is returned unchanged, because the field
 * may have had another type.
 */
function momentText(value: string, language: string): string {
  const [day = '', time = ''] = value.split('T');
  if (!isDay(day)) return value;
  const words = new Intl.DateTimeFormat(isArabic(language) ? 'ar-u-nu-latn-ca-gregory' : 'en-GB', {
    dateStyle: 'full',
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`));
  return [words, time.slice(0, 5)].filter(Boolean).join(wordsFor(language).comma);
}

/** Opening hours in words; for other values, the texts that they contain. */
function jsonText(value: unknown, languages: ReaderLanguages): string {
  const hours = openingHoursText(value, languages.first);
  if (hours === undefined) return textsInside(value).join(', ');
  const note = (value as Record<string, unknown>)['note'];
  const noted = typeof note === 'string' ? note : languages.text((note ?? null) as Localized | null);
  return noted ? `${hours} (${noted})` : hours;
}

function textsInside(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsInside) : [];
}

function relatedText(fact: EntryFact, languages: ReaderLanguages, titles: TitleOfRelated): string {
  const { to, ids } = relatedOf(fact) ?? { to: '', ids: [] };
  const names = ids.map((id) => languages.name(titles(to, id)));
  return names.filter(Boolean).join(wordsFor(languages.first).comma);
}
