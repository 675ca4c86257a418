import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import * as z from 'zod/mini';
import { Failure } from '#lib/domain/failure.ts';
import { type Issue, isObject, type JsonObject, parseWith } from '#lib/domain/input.ts';
import { parseJson } from '#lib/domain/json-text.ts';
import { ConversationKind } from '#lib/domain/messaging/conversation.ts';
import { type DocumentKind, documentKinds, documentPathOf, isDocumentKind } from '#lib/kinds/kinds.ts';
import { type DocumentItem, documentFailure, headOf, refused } from './document-item.ts';
import { documentOf } from './document-schema.ts';
import { type Line, readLines } from './read-lines.ts';
import { whyUnreadable } from './why-unreadable.ts';

/**
 * Reads the records of a workspace document (lib/spec/workspace-document.md section 1). The extension of the file decides
 * the encoding; without one, the first line does. Malformed parts are returned as failures among the records. An
 * `.ndjson` document is read with one line in memory.
 * @throws Failure
 */
export async function* readDocument(file: string): AsyncGenerator<DocumentItem> {
  try {
    const found = await stat(file);
    if (!found.isFile()) throw Object.assign(new Error(), { code: found.isDirectory() ? 'EISDIR' : 'ENOTFILE' });
    yield* (await isNdjson(file)) ? readNdjson(file) : readJson(file);
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (!failure.code) throw error;
    throw new Failure(`The workspace document ${file} cannot be read: ${whyUnreadable(failure)}.`);
  }
}

async function isNdjson(file: string): Promise<boolean> {
  const extension = extname(file).toLowerCase();
  if (extension === '.json') return false;
  if (extension === '.ndjson' || extension === '.jsonl') return true;
  for await (const { text = '' } of readLines(file)) {
    if (text.trim() === '') continue;
    const parsed = parseJson(text);
    return 'value' in parsed && typeof parsed.value === 'object' && parsed.value !== null && 'kind' in parsed.value;
  }
  return false;
}

/**
 * Reads the records of a `.json` document, kind by kind in the order of the format
 * (lib/spec/workspace-document.md section 1).
 */
async function* readJson(file: string): AsyncGenerator<DocumentItem> {
  const read = await readObject(file);
  if ('issue' in read) {
    yield documentFailure('document', 0, read.issue);
    return;
  }
  const { issues, exportedAt, members: document } = headOf(read.document);
  const { issues: found = [] } = parseWith(structure, document);
  for (const issue of [...issues, ...found]) yield documentFailure('document', 0, issue);
  let position = 0;
  for (const kind of documentKinds) {
    for (const { record, location } of recordsOf(document, kind)) {
      const item = { kind, record, location, position: position++ };
      yield kind === 'workspace' ? { ...item, exportedAt } : item;
    }
  }
}

async function readObject(file: string): Promise<{ readonly document: JsonObject } | { readonly issue: Issue }> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      return { issue: refused('syntax', '', 'The document must be text in UTF-8.') };
    }
    throw error;
  }
  const parsed = parseJson(text);
  if ('column' in parsed) {
    const message = `The document must be JSON; the error is at line ${parsed.line}, column ${parsed.column}.`;
    return { issue: refused('syntax', '', message) };
  }
  if (isObject(parsed.value)) return { document: parsed.value };
  return { issue: refused('type', '', 'The document must be one object with version and workspace.') };
}

const any = z.optional(z.unknown());
const given = z.custom((value) => value !== undefined, { params: { code: 'type' } });

/** The places of records in a document. */
const structure = documentOf({ version: any, exportedAt: any }, (kind) => (kind === 'workspace' ? given : z.unknown()));

/** The records of a kind, each with its location. */
function recordsOf(document: JsonObject, kind: DocumentKind): { record: unknown; location: string }[] {
  const path = documentPathOf(kind) as readonly string[];
  const value = path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), document);
  const location = path.join('.');
  if (kind === 'workspace') return value === undefined ? [] : [{ record: value, location }];
  return Array.isArray(value) ? value.map((record, index) => ({ record, location: `${location}[${index}]` })) : [];
}

/** Reads the records of an `.ndjson` document, a line at a time (lib/spec/workspace-document.md section 1). */
async function* readNdjson(file: string): AsyncGenerator<DocumentItem> {
  let position = 0;
  let emptyLine: number | undefined;
  for await (const line of readLines(file)) {
    if (line.text?.trim() === '') {
      emptyLine ??= line.number;
      continue;
    }
    if (emptyLine !== undefined) {
      const issue = refused('syntax', '', 'Must not be empty; only the end of the document may have empty lines.');
      yield documentFailure(`line ${emptyLine}`, position, issue);
      emptyLine = undefined;
    }
    yield* itemsOf(line, position);
    position++;
  }
  if (position === 0) {
    const message = 'The document is empty; its first line must be the workspace, with version.';
    yield documentFailure('line 1', 0, refused('required', '', message));
  }
}

function itemsOf(line: Line, position: number): DocumentItem[] {
  const location = `line ${line.number}`;
  const refuse = (issue: Issue): DocumentItem[] => [documentFailure(location, position, issue)];
  if (line.isTooLong) return refuse(refused('too_large', '', 'Must be at most 4 MB long.'));
  if (line.text === undefined) return refuse(refused('syntax', '', 'Must be text in UTF-8.'));
  const parsed = parseJson(line.text);
  if ('column' in parsed)
    return refuse(refused('syntax', '', `Must be JSON; the error is at column ${parsed.column}.`));
  if (!isObject(parsed.value))
    return refuse(refused('type', '', 'Must be an object with the kind and members of a record.'));
  const { kind, record } = recordOfLine(parsed.value);
  if (position > 0) return kind ? [{ kind, record, location, position }] : refuse(unknownKind);
  if (kind !== 'workspace') return [...refuse(noWorkspace), ...(kind ? [{ kind, record, location, position }] : [])];
  const { issues, exportedAt, members } = headOf(record as JsonObject);
  return [...issues.flatMap(refuse), { kind, record: members, location, position, exportedAt }];
}

const unknownKind = refused('not_allowed', 'kind', `Must be one of ${documentKinds.join(', ')}.`);
const noWorkspace = refused('required', 'kind', 'Must be workspace on the first line, with version.');

const conversationKinds: readonly string[] = ConversationKind.options;

/**
 * Splits a line of an `.ndjson` document into its kind and its record (lib/spec/workspace-document.md section 1). An
 * unknown kind is undefined. A line is `{ kind, ...record }`, so a conversation's line has the conversation's own
 * `kind`. That is unambiguous, because no record kind has the name of a conversation kind.
 */
function recordOfLine(line: JsonObject): { readonly kind?: DocumentKind; readonly record: unknown } {
  const { kind, ...record } = line;
  if (typeof kind === 'string' && conversationKinds.includes(kind)) return { kind: 'conversation', record: line };
  return isDocumentKind(kind) ? { kind, record } : { record };
}
