import { isObject } from './paths.ts';

/**
 * A localized text with another text in one language. An empty text is taken out.
 * @param empty what is left when no language has a text
 */
export function withLanguage(text: unknown, language: string, next: string, empty: null | undefined): unknown {
  const before = isObject(text) ? text : {};
  const { [language]: _, ...others } = before;
  if (next !== '') return { ...before, [language]: next };
  return Object.keys(others).length === 0 && empty === null ? null : others;
}
