import { type JsonObject, textOf } from '#lib/domain/input.ts';
import type { KindDeclaration } from '#lib/kinds/define-kind.ts';
import type { Kind } from '#lib/kinds/kinds.ts';
import { requiredTargets } from '#lib/records/check-record.ts';
import type { RecordLookup } from '#lib/records/record-lookup.ts';
import { isNameOf } from '#lib/table/record-names.ts';
import { StoredRecords } from '#lib/table/stored-records.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';

/** A record that is written alone. */
interface Written {
  readonly kind: Kind;
  readonly rules: KindDeclaration;
  readonly id: string;
  readonly modelId?: string;
  /** The stored record. The records that it refers to exist, because they cannot be removed in the meantime. */
  readonly before?: JsonObject | undefined;
}

/**
 * The stored workspace, for the check of a single record. Each look-up is a read by key.
 * @param languages those of the workspace
 * @param written the record itself; references to itself are valid before it is stored
 */
export function lookupIn(
  table: Table,
  { workspaceId }: WorkspaceScope,
  languages: readonly string[],
  written?: Written,
): RecordLookup {
  const records = new StoredRecords(() => table, workspaceId);
  const held = written?.before && requiredTargets(written.rules, written.before);
  return {
    workspaceId,
    languages,
    storedLanguages: async () => languages,
    stored: written?.before,
    storedCreatedAt: async () => textOf(written?.before?.['createdAt']) || undefined,
    isMalformed: () => false,
    has: async (kind, id) =>
      (kind === written?.kind && id === written.id) || held?.has(`${kind} ${id}`) || records.has(kind, id),
    hasEntry: async (modelId, id) =>
      (id === written?.id && modelId === written.modelId) || records.hasEntry(modelId, id),
    // Only the text of a warning would contain it, and an answer has no warnings.
    ownerOf: async () => undefined,
    model: (id) => records.model(id),
    isNameTaken: async (kind, name, id) => {
      if (written?.before && isNameOf(kind, written.before, name)) return false;
      const owner = await records.idOfName(kind, name, id);
      return owner !== undefined && owner !== id;
    },
  };
}
