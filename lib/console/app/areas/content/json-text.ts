import { isObject } from '#lib/domain/input.ts';

/** Marks a field whose text is not JSON yet, so that drafts keep the text. It is never sent. */
const unparsed = 'console:unparsed';

/** The value of a JSON text. Invalid JSON becomes an object that keeps the text. Blank text is null. */
export function jsonOf(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return { [unparsed]: text };
  }
}

/** The text of a value, indented. */
export function textOfJson(value: unknown): string {
  if (value === null || value === undefined) return '';
  return isUnparsed(value) ? String(value[unparsed]) : JSON.stringify(value, null, 2);
}

export const isUnparsed = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && Object.hasOwn(value, unparsed);

/** The fields of an entry whose text is not JSON. */
export const unparsedFields = (values: unknown): string[] =>
  isObject(values) ? Object.keys(values).filter((key) => isUnparsed(values[key])) : [];
