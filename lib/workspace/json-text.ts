/** The value of a JSON text, or the position of its first error. */
export type ParsedJson = { readonly value: unknown } | { readonly line: number; readonly column: number };

/**
 * Parses JSON. The engine's own message is not used, because it may quote secrets of the document and often lacks a
 * position.
 */
export function parseJson(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const lines = text.slice(0, validLength(text)).split('\n');
    return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  }
}

/** The length of the longest prefix that could continue as valid JSON. */
function validLength(text: string): number {
  let valid = 0;
  let invalid = text.length + 1;
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    if (isBeginning(text.slice(0, middle))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

function isBeginning(text: string): boolean {
  const message = errorOf(text);
  if (message === undefined || message.startsWith('Unexpected end')) return true;
  return message.includes(`at position ${text.length} `);
}

function errorOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
