import { isDeepStrictEqual } from 'node:util';
import { changedPaths } from '#lib/domain/access/changed-paths.ts';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { HttpError } from '#lib/http/errors.ts';
import { schemaChecks } from '#lib/records/schema-checks.ts';
import { type Authorize, requirePermission } from './effects.ts';
import { entriesWithValues, findUnseenValue, isAlike } from './field-values.ts';
import { hasValues, inUse } from './in-use.ts';
import type { KindRules } from './managed-record.ts';
import { storedSchema } from './stored-schema.ts';

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
  if (holders.length > 0) throw hasValues(holders, effectivePermissions(request.principal));
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

/** A database with a new relation to products reads all of its entries (lib/table/writer/relation-items.ts). */
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
      in_use: () => inUse(storedSchema.cmsModel.managed.noun, [], new Set()),
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
