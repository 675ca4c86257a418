import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { noteLongLog } from '../collection/compaction.ts';
import { headKey } from '../collection/head.ts';
import type { Table } from '../table.ts';
import { entryListScope } from './entry-list.ts';

/**
 * Call this before publishing a schema that changes the columns of a database. It invalidates the stored columns. Until
 * a compaction has made the new ones, readers make them from the entries.
 * @throws Unavailable
 */
export async function changeColumns(table: Table, workspace: WorkspaceScope, modelId: string): Promise<void> {
  const scope = entryListScope(workspace, modelId);
  await table.update(headKey(scope), {
    UpdateExpression: 'SET #columns = :epoch, #born = if_not_exists(#born, :epoch)',
    ExpressionAttributeNames: { '#columns': 'columns', '#born': 'born' },
    ExpressionAttributeValues: { ':epoch': newColumnEpoch() },
    ReturnValues: 'NONE',
  });
  await noteLongLog(table, scope);
}

/** A new epoch for the columns of a database. Stored columns of other epochs become invalid (entry-columns.ts). */
const newColumnEpoch = (): string => `${Date.now()}.${Math.random().toString(36).slice(2)}`;

/** The maximum duration of an update that began before the relation was published. */
const announcedMillisecondsMax = 30_000;

/**
 * Call this before publishing a schema with a new relation to a database. Updates in flight do not announce themselves
 * there yet.
 */
export async function postponeEntriesVersion(table: Table, workspace: WorkspaceScope, modelId: string): Promise<void> {
  const time = new Date(Date.now() + announcedMillisecondsMax).toISOString();
  await table.update(headKey(entryListScope(workspace, modelId)), {
    UpdateExpression: 'SET #countsFrom = :time, #born = if_not_exists(#born, :time) ADD #content :one',
    ExpressionAttributeNames: { '#countsFrom': 'countsFrom', '#born': 'born', '#content': 'content' },
    ExpressionAttributeValues: { ':time': time, ':one': 1 },
    ReturnValues: 'NONE',
  });
}
