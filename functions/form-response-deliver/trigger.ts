import { dueWorkPrefix } from '#lib/table/due/keys.ts';
import { defineTrigger } from '#lib/trigger.ts';

export const trigger = defineTrigger({
  summary: 'Mail form responses, and webhooks that were disabled, to those who are to know of them.',
  newItems: { partitionKeyPrefixes: [dueWorkPrefix('mail')] },
  everyMinutes: 1,
  uses: ['table:read', 'table:mail', 'files:link', 'mail:send'],
  lambda: { timeoutSeconds: 60 },
});
