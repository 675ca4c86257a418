const lineBreaks = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/** The lines of a text of anybody's, without control and bidi characters (lib/spec/decisions.md section 5). */
export const plainLines = (text: string): string[] =>
  text
    .toWellFormed()
    .replaceAll('\t', ' ')
    .split(lineBreaks)
    .map((line) => line.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ''));

/** A text of anybody's as a single line. */
export const plainLine = (text: string): string => plainLines(text).join(' ').replaceAll(/\s+/g, ' ').trim();

/** At most so many characters; what is cut ends in an ellipsis. */
export function shortened(text: string, charactersMax: number): string {
  const characters = firstCharacters(text, charactersMax + 1);
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join('')}…`;
}

/** No character is split, whatever its length in UTF-16. */
export const firstCharacters = (text: string, count: number): string[] => [...text.slice(0, count * 2)].slice(0, count);
