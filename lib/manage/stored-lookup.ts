import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import type { JsonObject } from '#lib/domain/json-object.ts';
import { isStorableName } from '#lib/domain/stored-size.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import type { Kind } from '#lib/kinds/kinds.ts';
import { requiredTargets } from '#lib/records/check-record.ts';
import type { RecordLookup } from '#lib/records/record-lookup.ts';
import { keys } from '#lib/table/keys.ts';
import { isNameOf } from '#lib/table/record-names.ts';
import { recordOf } from '#lib/table/record-of.ts';
import type { Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';

/** A record that is written alone. */
interface Written {
  readonly kind: Kind;
  readonly id: string;
  readonly modelId?: string;
  /** The stored record. The records that it refers to exist, because they cannot be removed in the meantime. */
  readonly before?: JsonObject | undefined;
}

/**
 * The stored workspace, for the check of a single record. Each look-up is a read by key.
 * @param written the record itself; references to itself are valid before it is stored
 */
export async function openLookup(table: Table, scope: WorkspaceScope, written?: Written): Promise<RecordLookup> {
  const workspace = await findWorkspace(table, scope.workspaceId);
  return lookupIn(table, scope, workspace?.languages ?? [], written);
}

/** Like `openLookup`, for a caller that has the languages of the workspace. */
export function lookupIn(
  table: Table,
  { workspaceId }: WorkspaceScope,
  languages: readonly string[],
  written?: Written,
): RecordLookup {
  const held = written?.before && requiredTargets(written.kind, written.before);
  const has: RecordLookup['has'] = async (kind, id) => {
    if (!isRecordId(id)) return false;
    if (kind === 'workspace') return id === workspaceId;
    if ((kind === written?.kind && id === written.id) || held?.has(`${kind} ${id}`)) return true;
    const key = kind === 'cmsModel' ? keys.cmsModel(workspaceId, id) : keys.record(workspaceId, kind, id);
    return (await table.get(key)) !== undefined;
  };
  return {
    workspaceId,
    languages,
    stored: written?.before,
    isMalformed: () => false,
    has,
    hasEntry: async (modelId, id) =>
      isRecordId(modelId) &&
      isRecordId(id) &&
      ((id === written?.id && modelId === written.modelId) ||
        (await table.get(keys.cmsEntryPointer(workspaceId, modelId, id))) !== undefined),
    // Only the text of a warning would contain it, and an answer has no warnings.
    ownerOf: async () => undefined,
    model: async (id) => {
      const item = isRecordId(id) ? await table.get(keys.cmsModel(workspaceId, id)) : undefined;
      return item && recordOf<Model>(item);
    },
    isNameTaken: async (kind, name, id) => {
      if (!isStorableName(name) || (written?.before && isNameOf(kind, written.before, name))) return false;
      const pointer = await table.get(keys.slug(workspaceId, kind, name));
      if (!pointer || pointer['id'] === id) return false;
      const owner = await table.get(keys.record(workspaceId, kind, String(pointer['id'])));
      // A pointer may be left over from a former name.
      return owner !== undefined && isNameOf(kind, recordOf(owner), name);
    },
    isSecretTaken: async () => false,
  };
}
