import { setTimeout as pause } from 'node:timers/promises';
import type { Member } from '#lib/domain/access/member.ts';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { ConditionFailed, Unavailable } from '../errors.ts';
import { isImportRunning } from '../import/import-lease.ts';
import { keys } from '../keys.ts';
import { recordOf } from '../record-of.ts';
import type { Table, Writes } from '../table.ts';
import { etagOfText } from '../writer/record-items.ts';
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
  readonly extra: (applied: KeyApplied) => Writes;
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

const triesMax = 6;

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
 * @throws KeyRefused, Unavailable (also while an import of the workspace runs), ConditionFailed of a write in `extra`
 */
export async function changeKey(table: Table, scope: WorkspaceScope, change: KeyChange): Promise<KeyApplied> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const reads = tries === 1 ? table : table.uncached();
    const [stored, lease] = await Promise.all([
      findKey(reads, scope, change.id),
      reads.get(keys.importLease(scope.workspaceId)),
    ]);
    if (isImportRunning(lease)) throw new Unavailable('An import of the workspace is running.');
    const before = stored?.record;
    const after = await change.decide(stored);
    const text = JSON.stringify(after);
    const etag = etagOfText(text);
    if (before && stored.etag === etag) return { status: 'unchanged', before, after, etag };
    const member = await memberOf(reads, scope, after);
    if (!before && after.memberId !== null && !member) throw new KeyRefused('no_member');
    const applied: KeyApplied = { status: before ? 'replaced' : 'created', before, after, etag };
    const extra = change.extra(applied);
    try {
      await new ApiKeyRecords(reads, scope, 'service').save(after, member, before, extra);
    } catch (error) {
      if (!(error instanceof ConditionFailed) || Object.hasOwn(extra, error.write ?? '')) throw error;
      if (error.write === 'memberKeys') throw new KeyRefused('too_many_keys');
      // The client repeats a transaction whose reply was lost. The retry then finds its own record.
      if (error.item?.['record'] !== text) {
        await pause(Math.random() * 15 * tries);
        continue;
      }
    }
    table.clearCache();
    return applied;
  }
  throw new Unavailable('The key kept changing under the write.');
}

async function memberOf(
  reads: Table,
  { workspaceId }: WorkspaceScope,
  { memberId }: ApiKeyRecord,
): Promise<Member | undefined> {
  const item = memberId === null ? undefined : await reads.get(keys.record(workspaceId, 'member', memberId));
  return item && recordOf<Member>(item);
}
