import type { Scalar } from '#lib/domain/cms/columns.ts';
import type { Issue, IssueCode } from '#lib/domain/issue.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import { columnName } from '#lib/table/cms/column-store.ts';
import type { FieldReferences, ValueKind } from './field-reference.ts';
import { hasContent, textOf } from './filter-value.ts';
import { compareInstants, storedInstant } from './instant.ts';

/** A field by which a list is sorted. */
export interface SortField {
  readonly column: string;
  readonly kind: ValueKind;
  readonly isDescending: boolean;
}

export interface ReadSort {
  readonly fields: readonly SortField[];
  readonly issues: readonly Issue[];
}

const fieldsMax = 3;

/**
 * Reads `sort=-date,name` (lib/spec/additions.md section 1).
 * @param language the language for sorting localized fields
 */
export function readSort(text: string, references: FieldReferences, language: string): ReadSort {
  const names = text.split(',').flatMap((item) => item.trim() || []);
  const issues: Issue[] = [];
  const refuse = (code: IssueCode, message: string) => issues.push({ path: 'sort', code, message: `sort: ${message}` });
  if (names.length > fieldsMax) refuse('max_items', `Must be at most ${fieldsMax} fields.`);
  const fields = new Map<string, SortField>();
  for (const item of names.slice(0, fieldsMax)) {
    const name = item.replace(/^-/, '');
    const field = references.sortable(name);
    if (name === '') refuse('syntax', 'Must have a field after the minus sign.');
    else if (field === 'unknown_field')
      refuse(field, `Must be fields of the database: ${references.sortableNames()}; there is no ${inShort(name)}.`);
    else if (field === 'not_filterable')
      refuse(field, `Must be fields that a list can be sorted by; ${inShort(name)} is none.`);
    else if (fields.has(name)) refuse('duplicate', `Must not have ${inShort(name)} twice.`);
    else {
      const column = field.localized ? columnName(field.key, language) : field.key;
      fields.set(name, { column, kind: field.kind, isDescending: item.startsWith('-') });
    }
  }
  return { fields: [...fields.values()], issues };
}

/** A name that was sent may be of any length; that of a field is shorter. */
const inShort = (name: string): string => Array.from(name).slice(0, 64).join('');

/** The same for the same order. */
export const sortText = (fields: readonly SortField[]): string =>
  fields.map(({ column, isDescending }) => `${isDescending ? '-' : ''}${column}`).join();

/** A value in the form for sorting; undefined if the entry has none. */
export type SortKey = string | number | ReturnType<typeof storedInstant> | undefined;

export function sortKey(kind: ValueKind, value: Scalar | null | undefined): SortKey {
  if (value === null || value === undefined || !hasContent(value)) return undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value);
  const text = textOf(value);
  if (kind === 'moment') return storedInstant(text);
  return kind === 'text' || kind === 'choice' ? foldText(text) : text;
}

/** Compares ascending. Both keys have a value, of the same kind. */
export function compareKeys(a: SortKey, b: SortKey): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'object' && typeof b === 'object') return compareInstants(a, b);
  return 0;
}
