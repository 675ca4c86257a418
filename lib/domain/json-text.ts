import { countWhile } from './count-while.ts';

/** The value of a JSON text, or the position of its first error. */
export type ParsedJson = { readonly value: unknown } | { readonly line: number; readonly column: number };

/** The engine's own message is not used: it may quote secrets of the document, and often lacks a position. */
export function parseJson(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const lines = text.slice(0, statedLength(text, error) ?? searchedLength(text)).split('\n');
    return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  }
}

/** The length of the valid prefix by the engine's message. Messages that quote the text have none. */
function statedLength(text: string, error: unknown): number | undefined {
  const { message } = error as Error;
  if (message.startsWith('Unexpected end')) return text.length;
  const position = / at position (\d+) \(line \d+ column \d+\)$/.exec(message)?.[1];
  return position === undefined ? undefined : Number(position);
}

/** The length of the longest prefix that could continue as valid JSON. A large text takes many parses. */
const searchedLength = (text: string): number =>
  countWhile(text.length, (index) => isBeginning(text.slice(0, index + 1)));

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    return statedLength(text, error) === text.length;
  }
}
