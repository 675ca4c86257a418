import type { Field, Model } from './cms-model.ts';

/** The maximum number of columns of a database (lib/spec/additions.md section 1). */
const columnsMax = 24;

/** How the values of a column are compared. */
export type ValueKind =
  | 'text'
  | 'choice'
  | 'choices'
  | 'boolean'
  | 'number'
  | 'day'
  | 'moment'
  | 'stamp'
  | 'id'
  | 'ids';

const kinds: Partial<Record<Field['type'], ValueKind>> = {
  text: 'text',
  email: 'text',
  phone: 'text',
  url: 'text',
  select: 'choice',
  multiSelect: 'choices',
  boolean: 'boolean',
  number: 'number',
  date: 'day',
  datetime: 'moment',
  relation: 'id',
};

const hasManyRelations = ({ relation }: Field): boolean => relation?.many === true;

/** @returns undefined for a field by which lists cannot be filtered */
export const kindOf = (field: Field): ValueKind | undefined => (hasManyRelations(field) ? 'ids' : kinds[field.type]);

export const isFilterable = (field: Field): boolean => kindOf(field) !== undefined;

export const isSortable = (field: Field): boolean =>
  isFilterable(field) && field.type !== 'multiSelect' && field.type !== 'relation';

/**
 * The fields that lists can be filtered, sorted or searched by, in their order. Those with many relations come last
 * (lib/spec/additions.md sections 1 and 9).
 */
export function columnsOf({ fields }: Pick<Model, 'fields'>): readonly Field[] {
  const usable = fields.filter(
    (field) => !field.hidden && field.indexed !== false && (isFilterable(field) || field.type === 'longText'),
  );
  const single = usable.filter((field) => !hasManyRelations(field));
  return [...single, ...usable.filter(hasManyRelations)].slice(0, columnsMax);
}

/** Equal for columns with equal content for every entry. */
export const columnsText = (columns: readonly Field[]): string =>
  JSON.stringify(columns.map((field) => [field.key, field.type, field.localized, hasManyRelations(field)]));

export const hasSameColumns = (a: Pick<Model, 'fields'>, b: Pick<Model, 'fields'>): boolean =>
  columnsText(columnsOf(a)) === columnsText(columnsOf(b));
