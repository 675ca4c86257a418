import { isObject } from '#lib/domain/input.ts';

/** A JSON value. */
export type Members = Readonly<Record<string, unknown>>;

/** The value at a path, e.g. `optionSets.0.name.en`; undefined without one. */
export const valueAt = (record: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, step) => (typeof value === 'object' && value !== null ? (value as Members)[step] : undefined),
      record,
    );

/** A copy of a record with another value at a path; `undefined` removes the property. */
export function withValueAt<Of>(record: Of, path: string, value: unknown): Of {
  const [step = '', ...rest] = path.split('.');
  const before = (record ?? {}) as Members;
  const next = rest.length === 0 ? value : withValueAt(before[step], rest.join('.'), value);
  if (Array.isArray(record)) return record.map((item, index) => (String(index) === step ? next : item)) as Of;
  const { [step]: _, ...others } = before;
  // An existing property keeps its position.
  if (next !== undefined && step in before) return { ...before, [step]: next } as Of;
  return (next === undefined ? others : { ...before, [step]: next }) as Of;
}

/** True if two JSON values are equal, in any order of properties. */
export function isEqual(value: unknown, other: unknown): boolean {
  if (Object.is(value, other)) return true;
  if (Array.isArray(value) && Array.isArray(other)) {
    return value.length === other.length && value.every((item, index) => isEqual(item, other[index]));
  }
  if (!isObject(value) || !isObject(other)) return false;
  const names = new Set([...Object.keys(value), ...Object.keys(other)]);
  return [...names].every((name) => isEqual(value[name], other[name]));
}
