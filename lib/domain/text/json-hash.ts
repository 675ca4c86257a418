import { createHash } from 'node:crypto';

/** A hash of a JSON value; equal for equal canonical texts. */
export const jsonHash = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

/**
 * The JSON text of a value. The order of properties does not matter, that of arrays does. Maps and sets are arrays.
 * @param levels those below are left out, so that the recursion is bounded
 */
export function canonicalJson(value: unknown, levels = Number.POSITIVE_INFINITY): string {
  if (levels === 0) return '';
  if (value instanceof Map || value instanceof Set) return canonicalJson([...value], levels);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, levels - 1)).join()}]`;
  // JSON.stringify would turn Infinity into null.
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member, levels - 1)}`).join()}}`;
}
