import type { Member } from '#lib/domain/access/member.ts';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { ConditionFailed, type Contended, Unavailable } from '../errors.ts';
import { isHeldByImport } from '../import/import-lease.ts';
import { keys } from '../keys.ts';
import { recordOf } from '../record-of.ts';
import type { Table, Writes } from '../table.ts';
import { etagOfText } from '../writer/record-items.ts';
import { repeatWrite, tryTransaction } from '../writer/repeat-write.ts';
import { type ApiKeyRecord, ApiKeyRecords } from './api-key-records.ts';

/** A stored key. The tag depends on its secrets, too, but does not reveal them. */
export interface StoredKey {
  readonly record: ApiKeyRecord;
  /** Strong, without quotes. */
  readonly etag: string;
}

export interface KeyChange {
  readonly id: string;
  /**
   * Returns the new key. It is called again if the key has changed in the meantime. If it throws, nothing is stored.
   */
  readonly decide: (stored: StoredKey | undefined) => Promise<ApiKeyRecord> | ApiKeyRecord;
  /** Further writes of the transaction, such as an audit event. */
  readonly additionalWrites: (applied: KeyApplied) => Writes;
  /** Whether the change may be made while an import of the workspace runs. The import keeps it. */
  readonly mayMeetImport?: boolean;
}

export interface KeyApplied {
  readonly status: 'created' | 'replaced' | 'unchanged';
  readonly before: ApiKeyRecord | undefined;
  readonly after: ApiKeyRecord;
  readonly etag: string;
}

/** The reason for a refused change of a key. Nothing is stored. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
  readonly reason: 'no_member' | 'too_many_keys';

  constructor(reason: KeyRefused['reason']) {
    super(`The change of the key was refused: ${reason}.`);
    this.reason = reason;
  }
}

/** Starts the first reads of `changeKey`, for a request that has the id early. */
export const warmKey = (table: Table, { workspaceId }: WorkspaceScope, id: string): Promise<unknown> =>
  Promise.all([
    isRecordId(id) ? table.get(keys.record(workspaceId, 'apiKey', id)) : undefined,
    table.get(keys.importLease(workspaceId)),
  ]);

export async function findKey(
  table: Table,
  { workspaceId }: WorkspaceScope,
  id: string,
): Promise<StoredKey | undefined> {
  const item = isRecordId(id) ? await table.get(keys.record(workspaceId, 'apiKey', id)) : undefined;
  return item && { record: recordOf<ApiKeyRecord>(item), etag: etagOfText(String(item['record'])) };
}

/**
 * Creates or changes one API key with the items of its secrets, in one transaction. It takes two round trips, and one
 * more for a key that belongs to a member.
 * @throws KeyRefused, Unavailable (unless `mayMeetImport`, also while an import of the workspace runs), ConditionFailed
 * of a write in `additionalWrites`
 */
export async function changeKey(table: Table, scope: WorkspaceScope, change: KeyChange): Promise<KeyApplied> {
  const applied = await repeatWrite(table, {
    prepare: (tries) => prepare(tries === 1 ? table : table.uncached(), scope, change),
    write: (prepared) => tryWrite(table, prepared),
  });
  if (applied.status !== 'unchanged') table.clearCache();
  return applied;
}

/** A change that was checked against the stored key. Without writes it changes nothing. */
interface Prepared {
  readonly applied: KeyApplied;
  readonly recordWrites?: Writes;
  readonly additionalWrites?: Writes;
}

/** Reads the key and plans the change. @throws KeyRefused, Unavailable */
async function prepare(reads: Table, scope: WorkspaceScope, change: KeyChange): Promise<Prepared> {
  const [stored, lease] = await Promise.all([
    findKey(reads, scope, change.id),
    reads.get(keys.importLease(scope.workspaceId)),
  ]);
  if (!change.mayMeetImport && isHeldByImport(lease, 'apiKey'))
    throw new Unavailable('An import of the workspace is running.');
  const before = stored?.record;
  const after = await change.decide(stored);
  const etag = etagOfText(JSON.stringify(after));
  if (before && stored.etag === etag) return { applied: { status: 'unchanged', before, after, etag } };
  const member = await memberOf(reads, scope, after);
  if (!before && after.memberId !== null && !member) throw new KeyRefused('no_member');
  const applied: KeyApplied = { status: before ? 'replaced' : 'created', before, after, etag };
  const recordWrites = new ApiKeyRecords(reads, scope, 'service').changeOf(after, member, before);
  return { applied, recordWrites, additionalWrites: change.additionalWrites(applied) };
}

/** @returns the result; a conflict with another transaction; or `changed` if the key must be read again */
async function tryWrite(
  table: Table,
  { applied, recordWrites, additionalWrites = {} }: Prepared,
): Promise<KeyApplied | 'changed' | Contended> {
  if (!recordWrites) return applied;
  try {
    return (await tryTransaction(table, { ...additionalWrites, ...recordWrites })) ?? applied;
  } catch (error) {
    if (!(error instanceof ConditionFailed) || Object.hasOwn(additionalWrites, error.write ?? '')) throw error;
    if (error.write === 'memberKeys') throw new KeyRefused('too_many_keys');
    // The client repeats a transaction whose reply was lost. The retry then finds its own record.
    return error.item?.['record'] === JSON.stringify(applied.after) ? applied : 'changed';
  }
}

async function memberOf(
  reads: Table,
  { workspaceId }: WorkspaceScope,
  { memberId }: ApiKeyRecord,
): Promise<Member | undefined> {
  const item = memberId === null ? undefined : await reads.get(keys.record(workspaceId, 'member', memberId));
  return item && recordOf<Member>(item);
}
