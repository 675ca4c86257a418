import { writtenRules } from './kind-rules.ts';
import type { KindRules } from './managed-record.ts';
import { schemaRules } from './schema-rules.ts';

/** For writes of several kinds: the rules of all but keys, members and webhooks, and of what visitors send. */
export const allRules: KindRules = { ...writtenRules, ...schemaRules };
