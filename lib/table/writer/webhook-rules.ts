import { randomUUID } from 'node:crypto';
import { positionAt } from '#lib/domain/events/position.ts';
import { webhooksMax } from '#lib/domain/webhooks/webhook.ts';
import type { TransactItem } from '../table.ts';
import { webhookKeys } from '../webhooks/keys.ts';
import { ChangeRefused } from './apply-change.ts';
import type { WriteScope } from './change.ts';
import { planOf, type Rules, recordRules } from './record-rules.ts';

/** Webhooks, which are counted. */
export const webhookRules: Rules = {
  ownKeys: recordRules.ownKeys,
  guards: (workspaceId) => [webhookKeys.follower(workspaceId)],
  read: recordRules.read,
  plan: async (scope, change, stored) => {
    const isNew = change.record !== null && !stored.record;
    const count = isNew ? Number((await scope.table.get(webhookKeys.follower(scope.workspaceId)))?.['count'] ?? 0) : 0;
    if (count >= webhooksMax) throw new ChangeRefused('too_many_webhooks');
    return planOf(scope, change, stored, (before, after) => ({
      writes: {
        count:
          before && after ? [] : [countWebhook(scope, after ? 1 : -1, { now: scope.context.now, max: webhooksMax })],
      },
    }));
  },
};

/**
 * For the transaction that makes or removes a webhook: counts it. From the first one on, the events of the workspace are
 * followed. The bound also holds for concurrent calls.
 */
function countWebhook(
  { workspaceId }: WriteScope,
  by: 1 | -1,
  { now, max }: { readonly now: string; readonly max: number },
): TransactItem {
  return {
    Update: {
      Key: webhookKeys.follower(workspaceId),
      UpdateExpression:
        'SET #position = if_not_exists(#position, :position), workspaceId = :workspaceId, revision = :revision ADD #count :by',
      ...(by > 0 && { ConditionExpression: 'attribute_not_exists(#count) OR #count < :max' }),
      ExpressionAttributeValues: {
        ':position': positionAt(Date.parse(now)),
        ':workspaceId': workspaceId,
        ':revision': randomUUID(),
        ':by': by,
        ...(by > 0 && { ':max': max }),
      },
    },
  };
}
