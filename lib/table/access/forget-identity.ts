import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { keys } from '../keys.ts';
import type { Table, Writes } from '../table.ts';

/**
 * Lets the next sign-in with a member's address decide whose the member is (lib/spec/additions.md section 6).
 * @param extra more parts of the transaction, such as an audit event
 * @throws ConditionFailed of the write `member` when the member is gone
 */
export const forgetIdentity = (
  table: Table,
  { workspaceId }: WorkspaceScope,
  memberId: string,
  extra: Writes = {},
): Promise<void> =>
  table.transact({
    ...extra,
    member: {
      Update: {
        TableName: table.name,
        Key: keys.record(workspaceId, 'member', memberId),
        UpdateExpression: 'REMOVE #identity',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#identity': 'identity' },
      },
    },
  });
