import { createHash } from 'node:crypto';

/**
 * The same for the same JSON value, maps and sets being lists, however it was written: the order of members does not
 * matter, that of lists does.
 */
export const jsonHash = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex');

function canonical(value: unknown): string {
  if (value instanceof Map || value instanceof Set) return canonical([...value]);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  // Numbers beyond a double are told apart from null.
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}
