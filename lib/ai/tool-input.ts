/** Longer than what any of our tools takes. */
export const toolInputCharactersMax = 20_000;
export const toolCallsMax = 16;
const toolNameCharactersMax = 64;

/** A valid name for a call of an unknown tool. Most servers refuse a request that repeats an invalid name. */
export const toolName = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, toolNameCharactersMax) || 'unnamed';

/** The input of a tool call: parsed JSON, or the plain text if it is not JSON, which the tool then refuses. */
export function parseToolInput(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The same, as an object. */
export const inputObject = (input: unknown): Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Record<string, unknown>) : {};
