import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Member } from '#lib/domain/access/member.ts';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { ConditionFailed, Unavailable } from '../errors.ts';
import { isImportRunning } from '../import/import-lease.ts';
import { keys } from '../keys.ts';
import { recordOf } from '../record-of.ts';
import type { Item, Key } from '../schema.ts';
import type { Table, Writes } from '../table.ts';
import { type AppliedChange, ChangeRefused } from '../writer/change.ts';
import { etagOfText } from '../writer/record-items.ts';
import { MemberWrites } from './member-writes.ts';

export interface StoredMember {
  readonly record: Member;
  /** Strong, without quotes. */
  readonly etag: string;
}

export interface MemberChange {
  readonly id: string;
  /**
   * Returns the new member, or null to remove it. It is called again if the member has changed in the meantime. If it
   * throws, nothing is stored.
   */
  readonly decide: (stored: StoredMember | undefined) => Promise<Member | null> | Member | null;
  /** Further writes of the transaction, such as an audit event. */
  readonly extra: (applied: AppliedChange) => Writes;
}

const triesMax = 6;

const readsOf = (workspaceId: string, id: string): Key[] => [
  keys.record(workspaceId, 'member', id),
  keys.memberKeysOf(workspaceId, id),
  keys.managers(workspaceId),
  keys.importLease(workspaceId),
];

/** Starts the first reads of `changeMember`, for a request that has the id early. */
export const warmMember = (table: Table, { workspaceId }: WorkspaceScope, id: string): Promise<unknown> =>
  Promise.all(isRecordId(id) ? readsOf(workspaceId, id).map((key) => table.get(key)) : []);

export async function findMember(
  table: Table,
  { workspaceId }: WorkspaceScope,
  id: string,
): Promise<StoredMember | undefined> {
  return isRecordId(id) ? storedMember(await table.get(keys.record(workspaceId, 'member', id))) : undefined;
}

const storedMember = (item: Item | undefined): StoredMember | undefined =>
  item && { record: recordOf<Member>(item), etag: etagOfText(String(item['record'])) };

/**
 * Creates, changes or removes one member. The same transaction copies onto the member's keys what requests need of the
 * member. It takes two round trips, and one more if keys or other members must be read.
 * @throws LastManager, ChangeRefused (`duplicate`: another member has the address), Unavailable (also while an import
 * of the workspace runs), ConditionFailed of a write in `extra`
 */
export async function changeMember(table: Table, scope: WorkspaceScope, change: MemberChange): Promise<AppliedChange> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const reads = tries === 1 ? table : table.uncached();
    const [item, keysGuard, managersGuard, lease] = await Promise.all(
      readsOf(scope.workspaceId, change.id).map((key) => reads.get(key)),
    );
    if (isImportRunning(lease)) throw new Unavailable('An import of the workspace is running.');
    const stored = storedMember(item);
    const before = stored?.record;
    const after = (await change.decide(stored)) ?? undefined;
    if (!before && !after) throw new ChangeRefused('missing');
    const text = JSON.stringify(after);
    if (after && text === item?.['record']) return { status: 'unchanged', before, after, etag: stored?.etag };
    const status = after ? (before ? 'replaced' : 'created') : 'removed';
    const applied: AppliedChange = { status, before, after, etag: after && etagOfText(text) };
    const writes = new MemberWrites(reads, scope, change.id, { before, after });
    const [copies, managers] = await Promise.all([writes.copies(keysGuard), writes.managers(managersGuard)]);
    const extra = change.extra(applied);
    const revision = randomUUID();
    try {
      const last = await writes.commitWithCopies(copies);
      await table.transact({
        ...extra,
        record: writes.record(item, revision),
        ...writes.address(),
        copies: last,
        ...{ managers, memberKeys: writes.noteCopies(keysGuard) },
      });
    } catch (error) {
      if (!(error instanceof ConditionFailed) || Object.hasOwn(extra, error.write ?? '')) throw error;
      if (error.write === 'address' && error.item?.['id'] !== change.id) throw new ChangeRefused('duplicate');
      // The client repeats a transaction whose reply was lost. The retry then finds its own record.
      if (error.write !== 'record' || error.item?.['revision'] !== revision) {
        await pause(Math.random() * 15 * tries);
        continue;
      }
    }
    table.clearCache();
    return applied;
  }
  throw new Unavailable('The member kept changing under the write.');
}
