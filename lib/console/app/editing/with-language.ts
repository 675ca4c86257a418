import { isObject } from '#lib/domain/input.ts';

/**
 * A localized text with another text in one language. An empty text is removed.
 * @param empty the result without a text in any language
 */
export function withLanguage(text: unknown, language: string, next: string, empty: null | undefined): unknown {
  const before = isObject(text) ? text : {};
  const { [language]: _, ...others } = before;
  if (next !== '') return { ...before, [language]: next };
  return Object.keys(others).length === 0 && empty === null ? null : others;
}
