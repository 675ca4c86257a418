import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import { MemberWrites } from '../access/member-writes.ts';
import { keys } from '../keys.ts';
import { accessChange, newChangeId } from '../log/change-log.ts';
import { ChangeRefused } from './apply-change.ts';
import { appliedOf } from './record-items.ts';
import { type Rules, recordRules } from './record-rules.ts';

/**
 * A transaction has at most 100 writes. The rest are the member, its addresses, guards, log item, audit event and
 * idempotency record.
 */
const copiesMax = 80;

/** Members. The transaction of a member copies its state onto its keys, so that a request reads only its key. */
export const memberRules: Rules = {
  ownKeys: (workspaceId, { id }) => [keys.record(workspaceId, 'member', id), keys.memberKeysOf(workspaceId, id)],
  guards: (workspaceId, id) => [keys.memberKeysOf(workspaceId, id), keys.managers(workspaceId)],
  read: recordRules.read,
  plan: async ({ table, workspaceId, context }, { id, record }, { record: stored, revision: replaced, item }) => {
    const [before, after] = [stored as Member | undefined, (record ?? undefined) as Member | undefined];
    const text = JSON.stringify(after);
    if (after && text === item?.['record']) return undefined;
    const { isImport = false } = context;
    const [former, address] = [memberAddress(before?.email), memberAddress(after?.email)];
    const ownerOf = (name: string | undefined) =>
      name === undefined || former === address ? undefined : table.get(keys.slug(workspaceId, 'member', name));
    const [keysGuard, managersGuard, owner, formerOwner] = await Promise.all([
      table.get(keys.memberKeysOf(workspaceId, id)),
      table.get(keys.managers(workspaceId)),
      ownerOf(address),
      isImport ? ownerOf(former) : { id },
    ]);
    // The members of a document may exchange their addresses.
    if (owner && owner['id'] !== id && !isImport) throw new ChangeRefused('duplicate');
    const writes = new MemberWrites(table, { workspaceId }, { id, before, after, invitedBy: context.invitedBy });
    // The guards are read before the keys and members that they stand for.
    const [copies, managers] = await Promise.all([
      writes.copies(keysGuard),
      isImport ? [] : writes.managers(managersGuard),
    ]);
    // Only an import creates so many keys that their copies do not fit.
    const earlier = copies.slice(0, Math.max(0, copies.length - copiesMax));
    const revision = newChangeId(replaced);
    return {
      revision,
      applied: appliedOf(before, after, text),
      first: Array.from({ length: Math.ceil(earlier.length / copiesMax) }, (_, part) => ({
        copies: earlier.slice(part * copiesMax, (part + 1) * copiesMax),
      })),
      writes: {
        record: writes.record(item, revision, isImport),
        ...writes.address(owner, formerOwner),
        managers,
        memberKeys: writes.noteCopies(keysGuard),
        copies: copies.slice(earlier.length),
      },
      logged: copies.length > 0 ? [accessChange(id)] : [],
    };
  },
};
