import type { ApiKeyRecord } from '#lib/table/access/api-key-records.ts';
import { applyChange } from '#lib/table/writer/apply-change.ts';
import type { WrittenRecord } from '#lib/table/writer/change.ts';
import { keyRules } from '#lib/table/writer/key-rules.ts';
import { testTable } from './world.ts';

/** Changes a stored key, as management does. */
export async function changeKey(workspaceId: string, id: string, change: Partial<ApiKeyRecord>): Promise<void> {
  const decide = async ({ record }: { readonly record: object | undefined }) => {
    if (!record) throw new Error(`There is no key ${id}.`);
    return { ...(record as WrittenRecord), ...change };
  };
  const context = { now: new Date().toISOString() };
  await applyChange(keyRules, testTable(), { workspaceId }, { kind: 'apiKey', id, decide }, context);
}

/** Revokes a stored key. */
export const revokeKey = (workspaceId: string, id: string): Promise<void> =>
  changeKey(workspaceId, id, { revokedAt: new Date().toISOString() });
