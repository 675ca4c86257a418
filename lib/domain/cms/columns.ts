import { hasShapeOf } from '../stored-shape.ts';
import { longerThan } from '../text/code-points.ts';
import type { Field, Model } from './cms-model.ts';
import { ownValue } from './cms-values.ts';

/** The maximum number of columns of a database (lib/spec/additions.md section 1). */
const columnsMax = 24;
/** The number of characters of a longer text that a column holds. */
export const columnTextMax = 200;

const filterableTypes: ReadonlySet<string> = new Set([
  'text',
  'select',
  'multiSelect',
  'boolean',
  'number',
  'date',
  'datetime',
  'email',
  'phone',
  'url',
]);

/** The beginning of a text that is too long for a column. */
export interface CutText {
  readonly cut: string;
}

/** A value in a column: the whole value, or that of one language of a localized field. */
export type Scalar = string | number | boolean | CutText | readonly string[];

/** The values of an entry in a column: by language for a localized field, null for no value. */
export type Cell = Scalar | Readonly<Record<string, string | CutText>> | null;

/** Whether lists can be filtered by a field of this kind. */
export const isFilterable = ({ type, relation }: Field): boolean =>
  filterableTypes.has(type) || (type === 'relation' && relation?.many === false);

/** Whether lists can be sorted by a field of this kind. */
export const isSortable = (field: Field): boolean =>
  isFilterable(field) && field.type !== 'multiSelect' && field.type !== 'relation';

/** The fields that lists can be filtered, sorted or searched by, in their order (lib/spec/additions.md section 1). */
export const columnsOf = ({ fields }: Pick<Model, 'fields'>): readonly Field[] =>
  fields
    .filter((field) => !field.hidden && field.indexed !== false && (isFilterable(field) || field.type === 'longText'))
    .slice(0, columnsMax);

/** Equal for columns with equal content for every entry. */
export const columnsText = (columns: readonly Field[]): string =>
  JSON.stringify(columns.map(({ key, type, localized }) => [key, type, localized]));

/** True if two versions of a database have columns with equal content for every entry. */
export const hasSameColumns = (a: Pick<Model, 'fields'>, b: Pick<Model, 'fields'>): boolean =>
  columnsText(columnsOf(a)) === columnsText(columnsOf(b));

/** The content of an entry's column. */
export function cellOf(field: Field, values: Readonly<Record<string, unknown>>): Cell {
  const value = ownValue(values, field.key);
  if (value === null || value === undefined || !hasShapeOf(field, value)) return null;
  if (field.localized) return localizedCell(value as Readonly<Record<string, unknown>>);
  if (Array.isArray(value)) return value.length > 0 ? (value as readonly string[]) : null;
  return typeof value === 'string' ? textCell(value) : (value as number | boolean);
}

/** Sorts the languages, so that equal texts make equal cells. */
function localizedCell(texts: Readonly<Record<string, unknown>>): Cell {
  const cells = Object.keys(texts)
    .sort()
    .flatMap((language) => {
      const text = texts[language];
      const cell = typeof text === 'string' ? textCell(text) : null;
      return cell === null ? [] : [[language, cell] as const];
    });
  return cells.length > 0 ? Object.fromEntries(cells) : null;
}

function textCell(text: string): string | CutText | null {
  if (text === '') return null;
  return longerThan(text, columnTextMax)
    ? { cut: [...text.slice(0, 2 * columnTextMax)].slice(0, columnTextMax).join('') }
    : text;
}
