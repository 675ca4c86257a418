import { receivedKinds } from '#lib/kinds/received.ts';
import { recordRules } from '#lib/table/writer/record-rules.ts';
import { storedBy } from './managed-record.ts';

/** What visitors send, and callers only read and remove. */
export const receivedRules = storedBy(recordRules, receivedKinds);
