import { isObject } from '#lib/domain/input.ts';

/** A stored value as a short text, for the comparison of two versions. */
export function shownValue(
  value: unknown,
  t: { readonly yes: string; readonly no: string; readonly none: string },
): string {
  if (value === undefined || value === null || value === '') return t.none;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (Array.isArray(value)) {
    return value.length === 0 ? t.none : value.map((item) => shownValue(item, t)).join('; ');
  }
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .filter(([, inner]) => inner !== null && inner !== undefined && inner !== '')
    .map(([name, inner]) => `${name}: ${shownValue(inner, t)}`)
    .join(', ');
}
