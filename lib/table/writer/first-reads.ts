import { keys } from '../keys.ts';
import type { Table, WorkspaceScope } from '../table.ts';
import type { DecidedChange, RecordAddress, StorageRules, StoredRecord } from './change.ts';

/** Makes the first reads of a change, for an operation that cannot begin it yet. */
export async function readChange<Stored>(
  rules: StorageRules<Stored>,
  table: Table,
  scope: WorkspaceScope,
  { verb, ...address }: RecordAddress & Pick<DecidedChange, 'verb'>,
): Promise<void> {
  await Promise.all([
    rules.removalOf?.(scope, { ...address, verb })?.warm(table),
    table.get(keys.importLease(scope.workspaceId)),
    ...(rules.guards?.(scope.workspaceId, address.id) ?? []).map((key) => table.get(key)),
    storedRecord(rules, table, scope, address),
  ]);
}

/** Saves the reads of a record with a new random id. The condition of its transaction still checks that it is new. */
export function assumeNew<Stored>(
  { ownKeys }: StorageRules<Stored>,
  table: Table,
  { workspaceId }: WorkspaceScope,
  address: RecordAddress,
): void {
  for (const key of ownKeys(workspaceId, address)) table.prime(key, undefined);
}

/** Reads a record with its ETag, as a change reads it. It usually takes one round trip. */
export const storedRecord = <Stored>(
  rules: StorageRules<Stored>,
  table: Table,
  { workspaceId }: WorkspaceScope,
  address: RecordAddress,
): Promise<Pick<StoredRecord, 'record' | 'etag' | 'revision'>> =>
  rules.read({ table, workspaceId, context: { now: '' } }, address);
