import { defineTrigger } from '#lib/trigger.ts';

export const trigger = defineTrigger({
  summary: 'Remove form responses and conversations that are kept no longer, with their files and notifications.',
  everyMinutes: 5,
  uses: ['table:read', 'table:retention', 'table:end-tokens'],
  lambda: { timeoutSeconds: 60 },
});
