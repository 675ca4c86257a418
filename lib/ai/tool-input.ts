import { isObject, type JsonObject, jsonIn } from '#lib/domain/input.ts';
/** More than any tool accepts. */
export const toolInputCharactersMax = 20_000;
export const toolCallsMax = 16;
const toolNameCharactersMax = 64;

/** Makes a valid name for a call of an unknown tool. Most servers refuse a request with an invalid name. */
export const toolName = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, toolNameCharactersMax) || 'unnamed';

/** Parses the input of a tool call. Text that is no JSON is returned unchanged, and the tool refuses it. */
export function parseToolInput(text: string): unknown {
  if (text.trim() === '') return {};
  const input = jsonIn(text);
  return input === undefined ? text : input;
}

/** The input as an object. */
export const inputObject = (input: unknown): JsonObject => (isObject(input) ? input : {});
