const lineBreaks = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/** The lines of an untrusted text, without control and bidi characters (lib/spec/decisions.md section 5). */
export const plainLines = (text: string): string[] =>
  text
    .toWellFormed()
    .replaceAll('\t', ' ')
    .split(lineBreaks)
    .map((line) => line.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ''));

/** An untrusted text as a single line. */
export const plainLine = (text: string): string => plainLines(text).join(' ').replaceAll(/\s+/g, ' ').trim();

/** Cuts a text to a length, with an ellipsis at the end. */
export function shortened(text: string, charactersMax: number): string {
  const characters = firstCharacters(text, charactersMax + 1);
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join('')}…`;
}

/** Counts code points, so that no character is split. */
export const firstCharacters = (text: string, count: number): string[] => [...text.slice(0, count * 2)].slice(0, count);
