import { createHash } from 'node:crypto';

/**
 * A hash of a JSON value. The order of properties does not matter, that of arrays does. Maps and sets hash as arrays.
 */
export const jsonHash = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex');

function canonical(value: unknown): string {
  if (value instanceof Map || value instanceof Set) return canonical([...value]);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  // JSON.stringify would turn Infinity into null.
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}
