import type { Model } from '#lib/domain/cms-model.ts';
import { ownValue } from '#lib/domain/cms-values.ts';
import { Image } from '#lib/domain/image.ts';
import { hasShapeOf } from '#lib/domain/stored-shape.ts';
import type { ApiKeyRecord } from '#lib/table/api-key-records.ts';
import { IndexMoved } from '#lib/table/collection/parts.ts';
import type { StoredEntry } from '#lib/table/stored-entry.ts';
import { findWorkspace, StoredWorkspace } from '#lib/table/stored-workspace.ts';
import type { Table } from '#lib/table/table.ts';
import { CommandFailure } from './command/command-failure.ts';
import { type Kind, kinds } from './document-kinds.ts';

export interface ExportedRecord {
  readonly kind: Kind;
  readonly record: object;
}

/**
 * All records of a workspace, kind by kind in document order.
 * @throws CommandFailure when the workspace does not exist, or an import changes it during the export
 */
export async function* exportRecords(table: Table, workspaceId: string): AsyncGenerator<ExportedRecord> {
  const workspace = await findWorkspace(table.fresh(), workspaceId);
  if (!workspace) throw new CommandFailure(`There is no workspace ${workspaceId}.`);
  const stored = new StoredWorkspace(table, workspaceId);
  yield { kind: 'workspace', record: workspace };
  try {
    for (const kind of kinds) {
      if (kind === 'workspace') continue;
      for await (const record of recordsOf(stored, kind, workspace.languages)) yield { kind, record };
    }
  } catch (error) {
    if (!(error instanceof IndexMoved)) throw error;
    throw new CommandFailure(`An import has changed ${workspaceId} while it was exported; export it again.`);
  }
}

async function* recordsOf(
  stored: StoredWorkspace,
  kind: Exclude<Kind, 'workspace'>,
  languages: readonly string[],
): AsyncGenerator<object> {
  switch (kind) {
    case 'apiKey':
      for (const key of await stored.apiKeys()) yield exportedKey(key);
      return;
    case 'cmsModel':
      return yield* stored.models();
    case 'cmsEntry':
      for await (const model of stored.models()) {
        for await (const entry of stored.entries(model.id)) yield exportedEntry(entry, model, languages);
      }
      return;
    default:
      return yield* stored.records(kind);
  }
}

/** Exports the hash of the secret, because the secret itself is not stored. */
export function exportedKey({
  id,
  name,
  secretHash,
  memberId,
  permissions,
  expiresAt,
  revokedAt,
}: ApiKeyRecord): object {
  return { id, name, secretHash, memberId, permissions, expiresAt, revokedAt };
}

export function exportedEntry(
  { id, modelId, published, createdAt, updatedAt, values }: StoredEntry,
  model: Model,
  languages: readonly string[],
): object {
  const order = [...Object.keys(Image.shape), ...languages];
  const exported = model.fields.map((field) => [field.key, exportedValue(field, ownValue(values, field.key), order)]);
  return { id, modelId, published, createdAt, updatedAt, values: Object.fromEntries(exported) };
}

/** Exports null for a value of another type, as readers see it. An import may have changed the type of the field. */
function exportedValue(field: Model['fields'][number], value: unknown, order: readonly string[]): unknown {
  if (value === undefined || value === null || !hasShapeOf(field, value)) return null;
  if (field.type === 'json') return JSON.parse(String(value));
  return field.localized && Object.keys(value).length === 0 ? null : inOrder(value, order);
}

/** The table does not keep the order of members. A fixed order gives equal content equal text. */
function inOrder(value: unknown, order: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, order));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, inOrder(member, order)] as const);
  return Object.fromEntries(members.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}
