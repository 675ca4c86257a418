import { isDeepStrictEqual } from 'node:util';
import { changedPaths } from '#lib/domain/access/changed-paths.ts';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import { hasValue } from '#lib/domain/cms/cms-values.ts';
import { type JsonObject, ownValue } from '#lib/domain/input.ts';
import { needsOfEntry, type Referrer } from '#lib/domain/referrer.ts';
import { hasShapeOf } from '#lib/domain/stored-shape.ts';
import { HttpError } from '#lib/http/errors.ts';
import { schemaChecks } from '#lib/records/schema-checks.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import { havingOneOf } from '#lib/table/filters.ts';
import { keys } from '#lib/table/keys.ts';
import { type Authorize, requirePermission } from './effects.ts';
import { inUseBy, namedRecordsMax } from './in-use.ts';
import type { KindRules, ManageRequest } from './managed-record.ts';
import { storedSchema } from './stored-schema.ts';

/** The first page usually has enough entries. It grows while no entry has a value. */
const entriesPerPage = 100;

/** The entries of a database that may have a value under one of these keys, newest first, with these values alone. */
async function* entriesWith(
  { table, principal }: ManageRequest,
  modelId: string,
  fieldKeys: readonly string[],
): AsyncGenerator<Pick<StoredEntry, 'id' | 'published' | 'values'>> {
  if (fieldKeys.length === 0) return;
  const filled = fieldKeys.map((key) => `values.${key}`);
  const range = {
    pk: keys.cmsEntries(principal.workspaceId, modelId),
    descending: true,
    perPage: entriesPerPage,
    only: ['id', 'published', ...filled],
    where: havingOneOf(filled),
  };
  for await (const item of table.query(range)) {
    const { id, published, values = {} } = item as Partial<StoredEntry>;
    yield { id: String(id), published: published === true, values };
  }
}

/**
 * The newest entries with a value in a field that changes its type, `localized`, `many` or relation target. They prevent
 * the change (lib/spec/additions.md section 2). Only a field without values costs a read of all entries.
 */
async function entriesWithValues(request: ManageRequest, before: JsonObject, after: JsonObject): Promise<Referrer[]> {
  const { id, fields } = before as unknown as Model;
  const next = after as unknown as Model;
  const changed = fields.filter((field) =>
    next.fields.some((other) => other.key === field.key && !isAlike(other, field)),
  );
  const found: Referrer[] = [];
  const fieldKeys = changed.map(({ key }) => key);
  for await (const entry of entriesWith(request, id, fieldKeys)) {
    const own = changed.filter((field) => isFilled(field, entry));
    if (own.length > 0) {
      const needs = needsOfEntry({ isDraft: !entry.published, isHidden: own.every(({ hidden }) => hidden) });
      found.push({ kind: 'cmsEntry', id: `${id}/${entry.id}`, needs });
    }
    if (found.length === namedRecordsMax) break;
  }
  return found;
}

/**
 * Finds a value that a change of a database would show, although its field did not before: entries keep the values of
 * removed fields. A new key costs a read of all entries.
 * @returns the key of the field; undefined if there is no such value
 */
async function findUnseenValue(
  request: ManageRequest,
  before: JsonObject,
  after: JsonObject,
): Promise<string | undefined> {
  const { id, fields } = before as unknown as Model;
  const former = new Map(fields.map((field) => [field.key, field]));
  const changed = (after as unknown as Model).fields.filter((field) => {
    const known = former.get(field.key);
    return !field.hidden && !(known && isAlike(field, known));
  });
  const isUnseen = (key: string, value: unknown): boolean => {
    const known = former.get(key);
    return value !== undefined && value !== null && !(known && hasShapeOf(known, value));
  };
  const fieldKeys = changed.map(({ key }) => key);
  for await (const { values } of entriesWith(request, id, fieldKeys)) {
    const unseen = fieldKeys.find((key) => isUnseen(key, ownValue(values, key)));
    if (unseen !== undefined) return unseen;
  }
  return undefined;
}

/** Whether values of one definition are valid for the other. */
const isAlike = (a: Field, b: Field): boolean => isDeepStrictEqual(shapeOf(a), shapeOf(b));

const shapeOf = ({ type, localized, many, relation }: Field) => [type, localized, many, relation];

/** Whether a field shows a value of an entry. */
const isFilled = (field: Field, { values }: Pick<StoredEntry, 'values'>): boolean => {
  const value = ownValue(values, field.key);
  return value !== null && value !== undefined && hasShapeOf(field, value) && hasValue(field, value);
};

/** A change of a database must not show values that were hidden. @throws 403 */
const requireSight: Authorize = async (request, before, after) => {
  if (!before || effectivePermissions(request.principal).has('cms:entry:read-hidden')) return;
  const { fields } = after as unknown as Model;
  const hidden = (before as unknown as Model).fields.filter((field) => field.hidden);
  for (const field of hidden) {
    const next = fields.find(({ key }) => key === field.key);
    if (!next?.hidden || !isAlike(next, field)) requirePermission(request, 'cms:entry:read-hidden');
  }
  const unseen = await findUnseenValue(request, before, after);
  if (unseen === undefined) return;
  const reason = ` Entries still have values of a removed field with the key ${unseen}.`;
  requirePermission(request, 'cms:entry:read-hidden', reason);
};

/** A field with values keeps what they depend on. @throws 409 */
const requireNoValues: Authorize = async (request, before, after) => {
  const holders = before ? await entriesWithValues(request, before, after) : [];
  if (holders.length === 0) return;
  const reason = 'A field with values keeps its type, localized, many and relation';
  const message = 'Must have no value in a field that changes.';
  throw inUseBy(holders, effectivePermissions(request.principal), reason, message);
};

/** A field is named by its key, so that an event tells which one was shown or hidden. */
function changedInModel(before: object, after: object): string[] {
  const [former, next] = [before as Model, after as Model];
  const keysOf = ({ fields }: Model) => fields.map(({ key }) => key);
  const common = new Set(keysOf(former)).intersection(new Set(keysOf(next)));
  const orderOf = (model: Model) => keysOf(model).filter((key) => common.has(key));
  const byKey = (model: Model) => ({
    ...model,
    fields: Object.fromEntries(model.fields.map((field) => [field.key, common.has(field.key) ? field : field.key])),
  });
  const isMoved = !isDeepStrictEqual(orderOf(former), orderOf(next));
  return [...(isMoved ? ['fields'] : []), ...changedPaths(byKey(former), byKey(next))];
}

/** A database with a new relation to products reads all of its entries (lib/table/writer/schema-items.ts). */
export const schemaMilliseconds = 8_000;

/** The rules of the kinds that the functions `schema-*` write: they make the schema by which all else is read. */
export const schemaRules: KindRules = {
  cmsModel: {
    ...storedSchema.cmsModel,
    check: schemaChecks.cmsModel,
    milliseconds: schemaMilliseconds,
    authorize: async (request, before, after, write) => {
      await requireSight(request, before, after, write);
      await requireNoValues(request, before, after, write);
    },
    changedPaths: changedInModel,
    refusals: {
      use_import: () =>
        new HttpError(
          409,
          'use_import',
          'This change would rewrite more than 5,000 records. Import a workspace document with it instead.',
        ),
    },
  },
  workspace: { ...storedSchema.workspace, check: schemaChecks.workspace },
};
