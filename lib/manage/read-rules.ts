import { type StoredWebhook, shownWebhook } from '#lib/domain/webhooks/webhook.ts';
import { webhook } from '#lib/kinds/webhooks.ts';
import { writtenKinds } from '#lib/kinds/written-kinds.ts';
import { recordRules } from '#lib/table/writer/record-rules.ts';
import { type KindRules, storedBy } from './managed-record.ts';
import { receivedRules } from './received-rules.ts';
import { scheduledRules } from './scheduled-kinds.ts';
import { storedSchema } from './stored-schema.ts';

/** How all kinds but keys and members are read and shown: for functions that write none. */
export const readRules: KindRules = {
  ...storedBy(recordRules, writtenKinds),
  ...scheduledRules,
  ...receivedRules,
  ...storedSchema,
  webhook: {
    ...webhook,
    storage: recordRules,
    view: (record) => ({ ...shownWebhook(record as unknown as StoredWebhook) }),
  },
};
