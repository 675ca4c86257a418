import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { noteLongLog } from '../collection/compaction.ts';
import { headKey } from '../collection/head.ts';
import type { Table } from '../table.ts';
import { newColumnEpoch } from './entry-columns.ts';
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
