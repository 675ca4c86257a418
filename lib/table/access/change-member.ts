import { randomUUID } from 'node:crypto';
import type { Member } from '#lib/domain/access/member.ts';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { ConditionFailed, type Contended, Unavailable } from '../errors.ts';
import { isHeldByImport } from '../import/import-lease.ts';
import { keys } from '../keys.ts';
import { recordOf } from '../record-of.ts';
import type { Item, Key } from '../schema.ts';
import type { Table, TransactItem, Writes } from '../table.ts';
import { type AppliedChange, ChangeRefused } from '../writer/change.ts';
import { etagOfText } from '../writer/record-items.ts';
import { repeatWrite, tryTransaction } from '../writer/repeat-write.ts';
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
  /** The address of the member who makes the change, for a person who has to accept the membership. */
  readonly invitedBy?: string | undefined;
  /** Further writes of the transaction, such as an audit event. */
  readonly additionalWrites: (applied: AppliedChange) => Writes;
}

/**
 * A transaction has at most 100 writes. The rest are the member, its addresses, guards, audit event and idempotency
 * record.
 */
const copiesMax = 85;

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
 * Creates, changes or removes one member. The same transaction copies the member's state onto the member's keys. It
 * takes two round trips, and one more if keys or other members must be read.
 * @throws LastManager, ChangeRefused (`duplicate`: another member has the address), Unavailable (also while an import
 * of the workspace runs), ConditionFailed of a write in `additionalWrites`
 */
export async function changeMember(table: Table, scope: WorkspaceScope, change: MemberChange): Promise<AppliedChange> {
  const applied = await repeatWrite(table, {
    prepare: (tries) => prepare(tries === 1 ? table : table.uncached(), scope, change),
    write: (prepared) => tryWrite(table, change, prepared),
  });
  if (applied.status !== 'unchanged') table.clearCache();
  return applied;
}

/** A change that was checked against the stored member. Without `writes` it changes nothing. */
interface Prepared {
  readonly applied: AppliedChange;
  readonly writes?: {
    readonly additionalWrites: Writes;
    /** The writes of the member's record and of its dependent items. */
    readonly recordWrites: Writes;
    /** The copies for the member's keys. There may be too many for one transaction. */
    readonly copies: readonly TransactItem[];
    readonly revision: string;
  };
}

/** Reads the member and plans the change. @throws LastManager, ChangeRefused, Unavailable */
async function prepare(reads: Table, scope: WorkspaceScope, change: MemberChange): Promise<Prepared> {
  const [item, keysGuard, managersGuard, lease] = await Promise.all(
    readsOf(scope.workspaceId, change.id).map((key) => reads.get(key)),
  );
  if (isHeldByImport(lease, 'member')) throw new Unavailable('An import of the workspace is running.');
  const stored = storedMember(item);
  const before = stored?.record;
  const after = (await change.decide(stored)) ?? undefined;
  if (!before && !after) throw new ChangeRefused('missing');
  const text = JSON.stringify(after);
  if (after && text === item?.['record']) {
    return { applied: { status: 'unchanged', before, after, etag: stored?.etag } };
  }
  const status = after ? (before ? 'replaced' : 'created') : 'removed';
  const applied: AppliedChange = { status, before, after, etag: after && etagOfText(text) };
  const writes = new MemberWrites(reads, scope, change.id, { before, after, invitedBy: change.invitedBy });
  const [copies, managers] = await Promise.all([writes.copies(keysGuard), writes.managers(managersGuard)]);
  const revision = randomUUID();
  const recordWrites = {
    record: writes.record(item, revision),
    ...writes.address(),
    managers,
    memberKeys: writes.noteCopies(keysGuard),
  };
  return { applied, writes: { additionalWrites: change.additionalWrites(applied), recordWrites, copies, revision } };
}

/** @returns the result; a conflict with another transaction; or `changed` if the member must be read again */
async function tryWrite(
  table: Table,
  { id }: MemberChange,
  { applied, writes }: Prepared,
): Promise<AppliedChange | 'changed' | Contended> {
  if (!writes) return applied;
  const { additionalWrites, recordWrites, copies, revision } = writes;
  try {
    return (await tryTransactions(table, { ...additionalWrites, ...recordWrites }, copies)) ?? applied;
  } catch (error) {
    if (!(error instanceof ConditionFailed) || Object.hasOwn(additionalWrites, error.write ?? '')) throw error;
    if (error.write === 'address' && error.item?.['id'] !== id) throw new ChangeRefused('duplicate');
    // The client repeats a transaction whose reply was lost. The retry then finds its own record.
    return error.write === 'record' && error.item?.['revision'] === revision ? applied : 'changed';
  }
}

/** Stores the copies that do not fit into the member's transaction, before it. Only an import creates so many keys. */
async function tryTransactions(
  table: Table,
  writes: Writes,
  copies: readonly TransactItem[],
): Promise<Contended | undefined> {
  const rest = [...copies];
  while (rest.length > copiesMax) {
    const conflict = await tryTransaction(table, { copies: rest.splice(0, copiesMax) });
    if (conflict) return conflict;
  }
  return tryTransaction(table, { ...writes, copies: rest });
}
