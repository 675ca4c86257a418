import { defineTrigger } from '#lib/trigger.ts';

export const trigger = defineTrigger({
  summary:
    'Store direct uploads that have arrived, and clear away uploads that were never completed and images that were deleted.',
  everyMinutes: 1,
  uses: ['table:read', 'table:uploads', 'table:media', 'files:remove'],
  lambda: { timeoutSeconds: 55 },
});
