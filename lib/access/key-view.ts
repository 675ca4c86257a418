import type { ApiKeyView } from '#lib/kinds/access.ts';
import type { ApiKeyRecord } from '#lib/table/access/api-key-records.ts';

/** A key as answers show it, without its secrets. */
export const keyView = (record: ApiKeyRecord, lastUsedAt: string | null): ApiKeyView => {
  const { secretHash, retired, ...view } = record;
  return { ...view, lastUsedAt };
};
