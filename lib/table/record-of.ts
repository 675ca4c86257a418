import { createHash } from 'node:crypto';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { keys, type RecordKind } from './keys.ts';
import type { ExpiringKind } from './record-kinds.ts';
import type { Item } from './schema.ts';
import type { Table } from './table.ts';

/** The record of an item, which is stored as JSON text. */
export const recordOf = <R>(item: Item): R => JSON.parse(String(item['record'])) as R;

/** Access pattern W2: a record by its id, which may be any input. Those that may expire are read by `keptRecordOf`. */
export async function findRecord<R extends object>(
  table: Table,
  { workspaceId }: WorkspaceScope,
  kind: Exclude<RecordKind, ExpiringKind>,
  id: string,
): Promise<R | undefined> {
  const item = isRecordId(id) ? await table.get(keys.record(workspaceId, kind, id)) : undefined;
  return item && recordOf<R>(item);
}

/** The item of a record that the service stores. */
export const newItem = (workspaceId: string, kind: RecordKind, record: { readonly id: string }): Item => ({
  ...keys.record(workspaceId, kind, record.id),
  record: JSON.stringify(record),
  ...editedNow(),
});

/**
 * Marks an item as changed through the service. An import writes items without it. So a record has it only if its last
 * change was not an import.
 */
export const editedNow = (): { readonly editedAt: string } => ({ editedAt: new Date().toISOString() });

/** The strong ETag of a record, without quotes: a hash of its stored text. */
export const etagOfText = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);
