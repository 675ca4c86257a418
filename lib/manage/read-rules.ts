import { type StoredWebhook, shownWebhook } from '#lib/domain/webhooks/webhook.ts';
import { webhook } from '#lib/kinds/webhooks.ts';
import { recordRules } from '#lib/table/writer/record-rules.ts';
import type { KindRules } from './managed-record.ts';
import { plainRules } from './plain-rules.ts';
import { storedSchema } from './stored-schema.ts';

/** How all kinds but keys and members are read and shown: for functions that write none. */
export const readRules: KindRules = {
  ...plainRules,
  ...storedSchema,
  webhook: {
    ...webhook,
    storage: recordRules,
    view: (record) => ({ ...shownWebhook(record as unknown as StoredWebhook) }),
  },
};
