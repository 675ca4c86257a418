import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { modelRules } from '#lib/table/writer/model-rules.ts';
import { workspaceRules } from '#lib/table/writer/workspace-rules.ts';
import { type Authorize, requirePermission } from './effects.ts';
import { entriesWithValues, findUnseenValue, isAlike } from './field-values.ts';
import type { KindRules } from './managed-record.ts';

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

/** A database with a new relation to products reads all of its entries (lib/table/writer/relation-items.ts). */
export const schemaMilliseconds = 8_000;

/** The rules of the kinds that the functions `schema-*` write: they make the schema by which all else is read. */
export const schemaRules: KindRules = {
  cmsModel: {
    storage: modelRules,
    milliseconds: schemaMilliseconds,
    authorize: requireSight,
    holders: entriesWithValues,
  },
  workspace: { storage: workspaceRules },
};
