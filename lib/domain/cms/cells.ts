import { ownValue } from '../input.ts';
import { hasShapeOf } from '../stored-shape.ts';
import { firstCodePoints, longerThan } from '../text/code-points.ts';
import type { Field } from './cms-model.ts';

/** A list of more related records is no value that a filter finds (lib/spec/additions.md section 9, "Many relations"). */
const relatedMax = 50;
/** The number of characters of a longer text that a column holds. */
export const columnTextMax = 200;

/** The beginning of a text that is too long for a column. */
export interface CutText {
  readonly cut: string;
}

/** A value in a column: the whole value, or that of one language of a localized field. */
export type Scalar = string | number | boolean | CutText | readonly string[];

/** The values of an entry in a column: by language for a localized field, null for no value. */
export type Cell = Scalar | Readonly<Record<string, string | CutText>> | null;

export function cellOf(field: Field, values: Readonly<Record<string, unknown>>): Cell {
  const value = ownValue(values, field.key);
  if (value === null || value === undefined || !hasShapeOf(field, value)) return null;
  if (field.localized) return localizedCell(value as Readonly<Record<string, unknown>>);
  if (Array.isArray(value)) return listCell(value, field.relation?.many ? relatedMax : value.length);
  return typeof value === 'string' ? textCell(value) : (value as number | boolean);
}

/** An empty list is a value that equals nothing. */
function listCell(values: readonly string[], valuesMax: number): readonly string[] | null {
  if (values.length === 0) return null;
  return values.length > valuesMax ? [] : values;
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
  return longerThan(text, columnTextMax) ? { cut: firstCodePoints(text, columnTextMax) } : text;
}
