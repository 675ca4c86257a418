import { receivedKinds } from '#lib/kinds/received.ts';
import { writtenKinds } from '#lib/kinds/written-kinds.ts';
import { recordRules } from '#lib/table/writer/record-rules.ts';
import { type KindRules, storedBy } from './managed-record.ts';
import { scheduledRules } from './scheduled-kinds.ts';

/** The kinds of `manage-*`, as they are read and removed: without the rules of their other writes. */
export const plainRules: KindRules = {
  ...storedBy(recordRules, { ...writtenKinds, ...receivedKinds }),
  ...scheduledRules,
};
