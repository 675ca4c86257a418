import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { noteLongLog } from '../collection/compaction.ts';
import { headKey } from '../collection/head.ts';
import type { Table } from '../table.ts';
import { newColumnEpoch } from './entry-columns.ts';
import { entryListScope } from './entry-list.ts';

/**
 * To be called before a schema is published that gives a database other columns. What is stored for those before counts
 * no more: until a compaction has made the new ones, readers make them from the entries. @throws Unavailable
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
