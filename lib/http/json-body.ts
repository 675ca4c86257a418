import { type Issue, messageWithPath } from '#lib/domain/issue.ts';

/** Deeper bodies are refused before they are parsed, so code that walks a body may recurse. */
const nestingMax = 500;

type ParsedBody = { readonly json: unknown } | { readonly issue: Issue };

/** Reads a JSON body: UTF-8, one value, bounded nesting. */
export function parseJsonBody(bytes: Uint8Array): ParsedBody {
  if (bytes.length === 0) return refused('required', 'The body is empty; send a JSON object.');
  const text = decodeUtf8(bytes);
  if (text === undefined) return refused('syntax', 'The body must be JSON in UTF-8.');
  if (nestingOf(text) > nestingMax)
    return refused('too_large', `The body must be nested at most ${nestingMax} levels.`);
  try {
    return { json: JSON.parse(text) };
  } catch {
    return refused('syntax', 'The body must be valid JSON.');
  }
}

/** Adds the path to the message of an issue, for readers who see only the message. */
export const withBodyPath = (issue: Issue): Issue => ({
  ...issue,
  message: issue.path === '' ? issue.message.replace(/^Must /, 'The body must ') : messageWithPath(issue),
});

const refused = (code: Issue['code'], message: string): ParsedBody => ({ issue: { path: '', code, message } });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The deepest nesting of brackets outside of strings. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth--;
  }
  return deepest;
}
