import { readFile } from 'node:fs/promises';
import { type Issue, isObject, type JsonObject, unknownMember } from '#lib/domain/input.ts';
import { parseJson } from '#lib/domain/json-text.ts';
import { type DocumentKind, documentKinds, documentPathOf } from '#lib/kinds/kinds.ts';
import { type DocumentItem, documentFailure, exportTime, headIssues, refused } from './document-item.ts';

/**
 * Reads the records of a `.json` document, kind by kind in the order of the format
 * (lib/spec/workspace-document.md section 1).
 */
export async function* readJson(file: string): AsyncGenerator<DocumentItem> {
  const read = await readObject(file);
  if ('issue' in read) {
    yield documentFailure('document', 0, read.issue);
    return;
  }
  const { version, exportedAt, ...document } = read.document;
  const head = { version, exportedAt };
  const issues = [...headIssues(head), ...structureIssues(document)];
  for (const issue of issues) yield documentFailure('document', 0, issue);
  let position = 0;
  for (const kind of documentKinds) {
    for (const { record, location } of recordsOf(document, kind)) {
      const item = { kind, record, location, position: position++ };
      yield kind === 'workspace' ? { ...item, exportedAt: exportTime(head) } : item;
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

/** Issues of the members that contain the lists of records. */
function structureIssues(document: JsonObject): Issue[] {
  const groups = Map.groupBy(documentKinds.map(documentPathOf), ([name]) => name);
  const issues = unknownMembers(document, ['version', 'exportedAt', ...groups.keys()], '');
  for (const [name, paths] of groups) {
    const members = paths.flatMap(([, member]) => member ?? []);
    const group = document[name];
    if (members.length === 0 || group === undefined) continue;
    if (isObject(group)) issues.push(...unknownMembers(group, members, `${name}.`));
    else issues.push(refused('type', name, `Must be an object with ${members.join(', ')}.`));
  }
  for (const kind of documentKinds) issues.push(...listIssues(document, kind));
  return issues;
}

function listIssues(document: JsonObject, kind: DocumentKind): Issue[] {
  const path = documentPathOf(kind).join('.');
  const value = valueAt(document, kind);
  if (kind !== 'workspace') {
    return value === undefined || Array.isArray(value) ? [] : [refused('type', path, 'Must be an array.')];
  }
  return value === undefined ? [refused('required', path, 'Is required.')] : [];
}

function recordsOf(
  document: JsonObject,
  kind: DocumentKind,
): { readonly record: unknown; readonly location: string }[] {
  const path = documentPathOf(kind).join('.');
  const value = valueAt(document, kind);
  if (kind === 'workspace') return value === undefined ? [] : [{ record: value, location: path }];
  return Array.isArray(value) ? value.map((record, index) => ({ record, location: `${path}[${index}]` })) : [];
}

function valueAt(document: JsonObject, kind: DocumentKind): unknown {
  const [name, member] = documentPathOf(kind);
  const value = document[name];
  if (member === undefined) return value;
  return isObject(value) ? value[member] : undefined;
}

const unknownMembers = (object: JsonObject, allowed: readonly string[], prefix: string): Issue[] =>
  Object.keys(object)
    .filter((name) => !allowed.includes(name))
    .map((name) => refused('unknown_field', `${prefix}${name}`, unknownMember(allowed)));
