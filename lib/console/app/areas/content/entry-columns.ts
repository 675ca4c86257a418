import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import { columnsOf, isSortable } from '#lib/domain/cms/columns.ts';
import { isObject } from '#lib/domain/input.ts';
import { withoutLeapSecond } from '#lib/domain/text/calendar.ts';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import { textIn } from '../../data/localized.ts';
import { titleFieldOf } from './database-model.ts';

const shownAtFirst = 3;
/** Their values are too long for a row, or have no text. */
const notAtFirst: ReadonlySet<string> = new Set(['longText', 'richText', 'json', 'media']);

/** The fields that a list shows beside the title: the chosen ones, else the first short ones. */
export function shownColumns({ fields }: Pick<Model, 'fields'>, chosen: string | null): readonly Field[] {
  const title = titleFieldOf(fields);
  const others = fields.filter((field) => field !== title);
  if (chosen !== null) {
    const keys = chosen.split(',');
    return others.filter(({ key }) => keys.includes(key));
  }
  return others.filter(({ type, hidden }) => !hidden && !notAtFirst.has(type)).slice(0, shownAtFirst);
}

/** The keys of the fields that a list can be sorted by. */
export const sortableKeys = (model: Pick<Model, 'fields'>): ReadonlySet<string> =>
  new Set(
    columnsOf(model)
      .filter(isSortable)
      .map(({ key }) => key),
  );

/** The next `sort` when a column is pressed: ascending, descending, none. */
export const nextSort = (sort: string | null, key: string): string | null =>
  sort === key ? `-${key}` : sort === `-${key}` ? null : key;

export const directionOfSort = (sort: string | null, key: string): 'ascending' | 'descending' | undefined =>
  sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined;

interface Words {
  readonly languages: readonly string[];
  readonly locale: string;
  readonly yes: string;
  readonly no: string;
  readonly images: (count: number) => string;
  /** Of a relation. */
  readonly nameOf: (field: Field, id: string) => string;
}

const lettersMax = 120;

/** A value of an entry as text for a row; empty without a value. */
export function cellText(field: Field, value: unknown, words: Words): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.length === 0) return '';
  const text = textOf(field, value, words);
  const letters = [...text];
  return letters.length > lettersMax ? `${letters.slice(0, lettersMax).join('')}…` : text;
}

function textOf(field: Field, value: unknown, words: Words): string {
  switch (field.type) {
    case 'boolean':
      return value === true ? words.yes : words.no;
    case 'number':
      return typeof value === 'number' ? value.toLocaleString(words.locale, { maximumFractionDigits: 20 }) : '';
    case 'date':
      return new Date(`${value}T00:00:00Z`).toLocaleDateString(words.locale, { dateStyle: 'medium', timeZone: 'UTC' });
    case 'datetime':
      return new Date(withoutLeapSecond(String(value))).toLocaleString(words.locale, {
        dateStyle: 'medium',
        timeStyle: 'short',
      });
    case 'select':
    case 'multiSelect':
      return [value]
        .flat()
        .map((item) => optionText(field, String(item), words))
        .join(', ');
    case 'relation':
      return [value]
        .flat()
        .map((id) => words.nameOf(field, String(id)))
        .join(', ');
    case 'media':
      return words.images([value].flat().length);
    case 'json':
      return JSON.stringify(value);
    case 'email':
      return shownEmail(String(value));
    default:
      return isObject(value) ? textIn(value as Readonly<Record<string, string>>, words.languages) : String(value);
  }
}

function optionText({ options }: Field, value: string, { languages }: Words): string {
  const option = options?.find((candidate) => candidate.value === value);
  return (option && textIn(option.label, languages)) || value;
}
