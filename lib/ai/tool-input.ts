/** Longer than what any of our tools takes. */
export const toolInputCharactersMax = 20_000;
export const toolCallsMax = 16;
const toolNameCharactersMax = 64;

/** A name that servers take back, whatever the model has called: most refuse a request that repeats another one. */
export const toolName = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, toolNameCharactersMax) || 'unnamed';

/** The input of a tool as a model writes it: JSON, or, when it is none, the text, which the tool then refuses. */
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
