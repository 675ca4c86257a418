import { type Issue, type IssueCode, jsonIn, messageWithPath, parseWith } from '#lib/domain/input.ts';
import { parseJson } from '#lib/domain/json-text.ts';
import { essenceOf } from '#lib/domain/text/media-type-parts.ts';
import type { Endpoint } from './declaration.ts';
import { mayBeAbsent } from './endpoint.ts';
import { HttpError, invalidBody, type RequestIssue, unsupportedMediaType, validationFailed } from './errors.ts';
import type { ApiEvent } from './request-state.ts';

const kilobyte = 1_024;
const bodyBytesMaxDefault = kilobyte * kilobyte;

/**
 * Reads and checks the body if the route declares one: media type, size, JSON, schema (lib/spec/decisions.md section 1).
 * Its issues are added to those of the request, which `refuseIssues` refuses.
 * @throws 415, 413
 */
export const readBody = ({ body, bodyBytesMax = bodyBytesMaxDefault }: Pick<Endpoint, 'body' | 'bodyBytesMax'>) => ({
  before: ({ event }: { event: ApiEvent }) => {
    if (!body) return;
    const { state, headers } = event;
    const bytes = bytesOf(event);
    if (bytes.length === 0 && mayBeAbsent(body)) {
      state.body = parseWith(body, undefined).value;
      return;
    }
    requireJson(headers['content-type'], headers['content-encoding']);
    if (bytes.length > bodyBytesMax) throw tooLarge(bodyBytesMax);
    const read = parseJsonBody(bytes);
    const parsed = 'issue' in read ? undefined : parseWith(body, read.json);
    if ('issue' in read) state.requestIssues.push(invalidBody(read.issue));
    // A call has room for fewer arguments than a hostile body has issues.
    for (const issue of parsed?.issues ?? []) state.requestIssues.push(requestIssueOf(issue));
    state.body = parsed?.value;
  },
});

const bytesOf = ({ body = '', isBase64Encoded }: ApiEvent): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

function tooLarge(bytesMax: number): HttpError {
  const kilobytes = bytesMax / kilobyte;
  const size = kilobytes < kilobyte ? `${kilobytes} KB` : `${kilobytes / kilobyte} MB`;
  return new HttpError(413, 'body_too_large', `A JSON body may have at most ${size} here.`);
}

/** @throws 415 */
export function requireJson(contentType = '', contentEncoding = ''): void {
  if (contentEncoding) throw unsupportedMediaType('Send the body without Content-Encoding.');
  if (!isJson(contentType)) throw unsupportedMediaType('Send the body as application/json.');
}

export const isJson = (contentType: string): boolean =>
  /^(?:application\/json|[^/\s]+\/[^/\s]+\+json)$/.test(essenceOf(contentType));

/** Issues of the body's shape. All other issues, all deeper ones and those of newer rules are about its content. */
const shapeCodes: ReadonlySet<IssueCode> = new Set(['required', 'type', 'unknown_field']);

const requestIssueOf = (issue: Issue): RequestIssue => {
  const isAboutShape = shapeCodes.has(issue.code) && !issue.isNewer && !issue.path.includes('.');
  return (isAboutShape ? invalidBody : validationFailed)(withBodyPath(issue));
};

/** Larger bodies are not parsed for a caller that may still be refused. */
const hintCharactersMax = 16_384;

/**
 * The body of a request before its key is read, if it is small and valid. It is only a hint for early reads; the body
 * is checked later (lib/spec/decisions.md section 1).
 */
export function bodyHint({ body }: Pick<Endpoint, 'body'>, event: ApiEvent): unknown {
  if (!body || !event.body || event.body.length > hintCharactersMax) return undefined;
  const parsed = parseJsonBody(bytesOf(event));
  return 'json' in parsed ? parseWith(body, parsed.json).value : undefined;
}

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
  const json = jsonIn(text);
  return json === undefined ? refused('syntax', `The body must be valid JSON${placeOfError(text)}.`) : { json };
}

/** Finding the place may take many parses, so it is not searched for in a longer body. */
const searchedCharactersMax = 20_000;

function placeOfError(text: string): string {
  const found = text.length > searchedCharactersMax ? { value: text } : parseJson(text);
  return 'line' in found ? `; the error is at line ${found.line}, column ${found.column}` : '';
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
