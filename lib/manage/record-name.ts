import { isObject, type JsonObject } from '#lib/domain/input.ts';
import { isBlank } from '#lib/domain/text/blank.ts';

/** The name, else the title, else the identifier. */
export const nameOf = ({ name, title, identifier }: JsonObject, language: string): string | undefined =>
  [name, title, identifier].map((text) => textIn(text, language)).find((text) => text !== undefined);

/** A text, or that in the language, else in any; undefined if it shows nothing. */
export function textIn(value: unknown, language: string): string | undefined {
  const texts = isObject(value) ? [value[language], ...Object.values(value)] : [value].flat();
  return texts.find((text): text is string => typeof text === 'string' && !isBlank(text));
}
