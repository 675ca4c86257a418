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
