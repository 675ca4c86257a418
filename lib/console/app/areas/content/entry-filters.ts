import type { Field, FieldType, Model } from '#lib/domain/cms/cms-model.ts';
import { columnsOf, isFilterable } from '#lib/domain/cms/columns.ts';

/** A condition in the filter dialog. `filled` and `empty` are the operator `exists` with a value. */
export type Condition = 'contains' | 'eq' | 'ne' | 'gte' | 'lte' | 'filled' | 'empty';

/** One filter of a list: a field, a condition, and a value where the condition needs one. */
export interface EntryFilter {
  readonly key: string;
  readonly condition: Condition;
  readonly value: string;
}

/** The maximum number of filters in a request. */
export const filtersMax = 10;

const texts: readonly Condition[] = ['contains', 'eq', 'ne', 'filled', 'empty'];
const ordered: readonly Condition[] = ['gte', 'lte', 'eq', 'filled', 'empty'];
const choices: readonly Condition[] = ['eq', 'ne', 'filled', 'empty'];
const conditions: Partial<Readonly<Record<FieldType, readonly Condition[]>>> = {
  text: texts,
  email: texts,
  phone: texts,
  url: texts,
  number: ordered,
  date: ordered,
  datetime: ordered,
  select: choices,
  multiSelect: choices,
  boolean: choices,
  relation: choices,
};

/** The conditions that a field of this type can be filtered by, the most useful one first. */
export const conditionsOf = (type: FieldType): readonly Condition[] => conditions[type] ?? [];

export const needsValue = (condition: Condition): boolean => condition !== 'filled' && condition !== 'empty';

/** The fields that a list can be filtered by. */
export const filterFields = (model: Pick<Model, 'fields'>): readonly Field[] => columnsOf(model).filter(isFilterable);

const nameOf = ({ key, condition }: Pick<EntryFilter, 'key' | 'condition'>): string => `filter[${key}][${condition}]`;

/** The filters in a URL, without those of fields that no longer exist. */
export function readFilters(search: URLSearchParams, model: Pick<Model, 'fields'>): readonly EntryFilter[] {
  const fields = filterFields(model);
  return [...search].flatMap(([name, value]): EntryFilter[] => {
    const [, key = '', word = ''] = /^filter\[(\w+)\]\[(\w+)\]$/.exec(name) ?? [];
    const field = fields.find((candidate) => candidate.key === key);
    const condition = field && conditionsOf(field.type).find((candidate) => candidate === word);
    return condition ? [{ key, condition, value }] : [];
  });
}

/** The change of a URL that sets a filter. It replaces a filter with the same field and condition. */
export const withFilter = (filter: EntryFilter): Readonly<Record<string, string>> => ({
  [nameOf(filter)]: needsValue(filter.condition) ? filter.value : 'true',
});

/** The change of a URL that removes filters. */
export const withoutFilters = (filters: readonly EntryFilter[]): Readonly<Record<string, null>> =>
  Object.fromEntries(filters.map((filter) => [nameOf(filter), null]));

/** The parameter `filter` of a list; undefined without any. */
export function filterQuery(filters: readonly EntryFilter[]) {
  if (filters.length === 0) return undefined;
  const query: Record<string, Record<string, string>> = {};
  for (const { key, condition, value } of filters) {
    const operator = needsValue(condition) ? condition : 'exists';
    query[key] = { ...query[key], [operator]: needsValue(condition) ? value : String(condition === 'filled') };
  }
  return query;
}
