import { defineTrigger } from '#lib/trigger.ts';

export const trigger = defineTrigger({
  summary: 'Store direct uploads that have arrived, and clear away uploads that were never completed.',
  everyMinutes: 1,
  uses: ['table:read', 'table:uploads', 'files:remove'],
  lambda: { timeoutSeconds: 55 },
});
