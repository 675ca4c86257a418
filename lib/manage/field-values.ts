import { isDeepStrictEqual } from 'node:util';
import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import { hasValue, ownValue } from '#lib/domain/cms/cms-values.ts';
import type { JsonObject } from '#lib/domain/json-object.ts';
import { needsOfEntry, type Referrer } from '#lib/domain/referrer.ts';
import { hasShapeOf } from '#lib/domain/stored-shape.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import { keys } from '#lib/table/keys.ts';
import type { ManageRequest } from './managed-record.ts';
import { namedRecordsMax } from './refusals.ts';

/** The first page usually has enough entries. It grows while no entry has a value. */
const entriesPerPage = 100;

/**
 * The newest entries with a value in a field that changes its type, `localized`, `many` or relation target. They prevent
 * the change (lib/spec/additions.md section 2). Only a field without values costs a read of all entries.
 */
export async function entriesWithValues(
  { table, principal }: ManageRequest,
  before: JsonObject,
  after: JsonObject,
): Promise<Referrer[]> {
  const { id, fields } = before as unknown as Model;
  const next = after as unknown as Model;
  const changed = fields.filter((field) =>
    next.fields.some((other) => other.key === field.key && !isAlike(other, field)),
  );
  if (changed.length === 0) return [];
  const found: Referrer[] = [];
  const filled = changed.map(({ key }) => `values.${key}`);
  const range = {
    pk: keys.cmsEntries(principal.workspaceId, id),
    descending: true,
    perPage: entriesPerPage,
    only: ['id', 'movedTo', 'published', ...filled],
    where: { filled },
  };
  for await (const item of table.query(range)) {
    const entry = item as StoredEntry;
    const own = entry.movedTo === undefined ? changed.filter((field) => isFilled(field, entry)) : [];
    if (own.length > 0) {
      const needs = needsOfEntry({ isDraft: !entry.published, isHidden: own.every(({ hidden }) => hidden) });
      found.push({ kind: 'cmsEntry', id: `${id}/${entry.id}`, needs });
    }
    if (found.length === namedRecordsMax) break;
  }
  return found;
}

/** Whether values of one definition are valid for the other. */
const isAlike = (a: Field, b: Field): boolean => isDeepStrictEqual(shapeOf(a), shapeOf(b));

const shapeOf = ({ type, localized, many, relation }: Field) => [type, localized, many, relation];

/** An entry that is read in part lacks `values` if it has none of them. */
const isFilled = (field: Field, { values }: Partial<StoredEntry>): boolean => {
  const value = values && ownValue(values, field.key);
  return value !== null && value !== undefined && hasShapeOf(field, value) && hasValue(field, value);
};
