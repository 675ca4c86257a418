import { defineTrigger } from '#lib/trigger.ts';

export const trigger = defineTrigger({
  summary: 'Fold the logs of lists that have changed often into new indexes.',
  everyMinutes: 1,
  uses: ['table:read', 'table:update', 'table:put', 'table:compaction'],
  lambda: { timeoutSeconds: 55 },
});
