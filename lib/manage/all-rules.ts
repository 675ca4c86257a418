import { writtenRules } from './kind-rules.ts';
import type { KindRules } from './managed-record.ts';
import { schemaRules } from './schema-rules.ts';

/** The rules of all kinds but keys, members and webhooks: for versions, and for writes of several kinds. */
export const allRules: KindRules = { ...writtenRules, ...schemaRules };
