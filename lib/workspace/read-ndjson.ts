import { type Issue, isObject, type JsonObject } from '#lib/domain/input.ts';
import { parseJson } from '#lib/domain/json-text.ts';
import { ConversationKind } from '#lib/domain/messaging/conversation.ts';
import { type DocumentKind, documentKinds, isDocumentKind } from '#lib/kinds/kinds.ts';
import { type DocumentItem, documentFailure, exportTime, headIssues, refused } from './document-item.ts';
import { type Line, readLines } from './read-lines.ts';

/** Reads the records of an `.ndjson` document, a line at a time (lib/spec/workspace-document.md section 1). */
export async function* readNdjson(file: string): AsyncGenerator<DocumentItem> {
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
  const { version, exportedAt, ...workspace } = record as Record<string, unknown>;
  const head = { version, exportedAt };
  const item = { kind, record: workspace, location, position, exportedAt: exportTime(head) };
  return [...headIssues(head).flatMap(refuse), item];
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
