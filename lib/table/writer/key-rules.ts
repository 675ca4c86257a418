import { memberKeysMax } from '#lib/domain/access/api-key.ts';
import type { Member } from '#lib/domain/access/member.ts';
import { type ApiKeyRecord, ApiKeyRecords } from '../access/api-key-records.ts';
import { keys } from '../keys.ts';
import { accessChange, newChangeId } from '../log/change-log.ts';
import { findRecord } from '../table.ts';
import { ChangeRefused } from './apply-change.ts';
import { appliedOf } from './record-items.ts';
import { type Rules, recordRules } from './record-rules.ts';

/**
 * API keys, with the items of their secrets. The tag depends on the secrets, too, but does not reveal them.
 */
export const keyRules: Rules = {
  ...recordRules,
  plan: async ({ table, workspaceId, context }, { id, record }, { record: stored, revision: replaced }) => {
    const { isImport = false } = context;
    if (!record && !isImport) throw new Error('A key is revoked, never removed.');
    const [before, after] = [stored as ApiKeyRecord | undefined, (record ?? undefined) as ApiKeyRecord | undefined];
    const text = JSON.stringify(after);
    if (after && text === JSON.stringify(before)) return undefined;
    const memberId = after?.memberId ?? null;
    const isBounded = !before && memberId !== null && !isImport;
    const [member, guard] = await Promise.all([
      memberId === null ? undefined : findRecord<Member>(table, { workspaceId }, 'member', memberId),
      isBounded ? table.get(keys.memberKeysOf(workspaceId, memberId)) : undefined,
    ]);
    if (isBounded && !member) throw new ChangeRefused('no_member');
    if (Number(guard?.['count'] ?? 0) >= memberKeysMax) throw new ChangeRefused('too_many_keys');
    const revision = newChangeId(replaced);
    return {
      revision,
      applied: appliedOf(before, after, text),
      writes: new ApiKeyRecords(table, { workspaceId }).changeOf({ before, after, member, revision, isImport }),
      logged: [accessChange(id)],
    };
  },
};
