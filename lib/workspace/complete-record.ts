import { createHash } from 'node:crypto';
import { type Kind, kindRow } from './document-kinds.ts';
import { isObject, type JsonObject } from './json-object.ts';

/** Deeper records are refused, and nothing that walks a record goes deeper. */
export const levelsMax = 512;

/**
 * A record of a document with an id: its own, or one made of its content, so that importing the same document twice
 * means the same records (lib/spec/workspace-document.md section 3). A secret is no part of that: an id is shown in
 * many places.
 */
export function withId(kind: Kind, record: JsonObject): JsonObject {
  if (kind === 'workspace' || Object.hasOwn(record, 'id')) return record;
  const { secret, secretHash, ...content } = record;
  return { id: createHash('sha256').update(canonicalJson(content, levelsMax)).digest('hex').slice(0, 32), ...record };
}

/**
 * A record as the import compares and writes it: members in the order of the schema, and every time stamp of its kind
 * there, undefined where the document has none.
 */
export function inSchemaOrder(kind: Kind, record: JsonObject): JsonObject {
  const names = Object.keys(kindRow(kind).schema.shape);
  const present = names.filter((name) => record[name] !== undefined || name === 'createdAt' || name === 'updatedAt');
  return Object.fromEntries(present.map((name) => [name, record[name]]));
}

/** JSON with the members of every object in one order, whatever the document's was. */
export function canonicalJson(value: unknown, levels: number): string {
  if (levels === 0) return '';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, levels - 1)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name], levels - 1)}`).join(',')}}`;
}
