import { defineTrigger } from '#lib/trigger.ts';

export const trigger = defineTrigger({
  summary: 'Publish and unpublish entries and products at their times.',
  everyMinutes: 1,
  uses: ['table:read', 'table:schedules', 'table:compaction', 'files:history-write'],
  lambda: { timeoutSeconds: 60 },
});
