import { createHash } from 'node:crypto';
import type { JsonObject } from '#lib/domain/input.ts';
import { canonicalJson } from '#lib/domain/text/json-hash.ts';
import type { KindDeclaration } from '#lib/kinds/define-kind.ts';
import type { Kind } from '#lib/kinds/kinds.ts';

/** Deeper records are rejected, so that recursion over a record is bounded. */
export const nestingLevelsMax = 512;

/**
 * Adds an id to a record without one. The id is a hash of the content, so that a second import finds the same records
 * (lib/spec/workspace-document.md section 3). The hash excludes secrets, because ids are public.
 */
export function withId(kind: Kind, record: JsonObject): JsonObject {
  if (kind === 'workspace' || Object.hasOwn(record, 'id')) return record;
  const { secret, secretHash, ...content } = record;
  return {
    id: createHash('sha256').update(canonicalJson(content, nestingLevelsMax)).digest('hex').slice(0, 32),
    ...record,
  };
}

/**
 * The record in the form of the import, with members in schema order and every time stamp of its kind. A time stamp is
 * undefined if the document omits it.
 */
export function inSchemaOrder({ schema }: KindDeclaration, record: JsonObject): JsonObject {
  const names = Object.keys(schema.shape);
  const present = names.filter((name) => record[name] !== undefined || name === 'createdAt' || name === 'updatedAt');
  return Object.fromEntries(present.map((name) => [name, record[name]]));
}
