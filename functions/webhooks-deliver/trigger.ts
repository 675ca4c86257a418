import { dueWorkPrefix } from '#lib/table/due/keys.ts';
import { eventPrefixes } from '#lib/table/events/keys.ts';
import { followersPartition } from '#lib/table/webhooks/keys.ts';
import { defineTrigger } from '#lib/trigger.ts';

export const trigger = defineTrigger({
  summary: 'Send what has changed to webhooks.',
  newItems: { partitionKeyPrefixes: [...eventPrefixes, followersPartition, dueWorkPrefix('attempt')] },
  everyMinutes: 1,
  uses: ['table:read', 'table:transact', 'table:webhooks', 'files:link', 'webhooks:send'],
  lambda: { timeoutSeconds: 90 },
});
