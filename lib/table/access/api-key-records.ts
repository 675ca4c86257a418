import type { ApiKey } from '#lib/domain/access/api-key.ts';
import type { Member } from '#lib/domain/access/member.ts';
import type { Permission } from '#lib/domain/access/permission.ts';
import { keys } from '../keys.ts';
import { findRecord, Repository, recordOf } from '../table.ts';

/** The item under a secret's hash. One read of it has everything that a request needs of its key. */
export interface StoredSecret {
  readonly workspaceId: string;
  readonly keyId: string;
  /** A copy of the key's name. */
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly memberId: string | null;
  /** A copy of the member, written with every change of the member; absent if the member does not exist. */
  readonly member?: { readonly active: boolean; readonly permissions: readonly Permission[] };
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Whether it was revoked when this was written. The clocks of other containers may be behind. */
  readonly isRevoked?: true;
  /** Whether the key has a newer secret. */
  readonly isRetired?: true;
}

/** A key as the operator manages it; its secret is stored as a hash only. */
export interface ApiKeyRecord extends Omit<ApiKey, 'secret' | 'secretHash'> {
  readonly secretHash: string;
  /** A replaced secret, which stays valid until the end of its grace period. */
  readonly retired: { readonly secretHash: string; readonly until: string } | null;
}

/** The keys and members of one workspace, for the management endpoints, the operator's commands and the import. */
export class ApiKeyRecords extends Repository {
  list = (): Promise<ApiKeyRecord[]> => this.#records('apiKey');
  members = (): Promise<Member[]> => this.#records('member');

  #records = <Record>(kind: 'apiKey' | 'member'): Promise<Record[]> =>
    Array.fromAsync(this.table.query({ pk: keys.records(this.workspaceId, kind) }), recordOf<Record>);

  /** Never cached, because a change of a record depends on its stored version. */
  findMember = (id: string): Promise<Member | undefined> => findRecord(this.table.uncached(), this, 'member', id);
}

export interface Secret {
  readonly hash: string;
  readonly until: string | null;
}

/** The secrets of a key, including the retired one. */
export function secretsOf(record: ApiKeyRecord | undefined): Secret[] {
  if (!record) return [];
  const retired = record.retired ? [{ hash: record.retired.secretHash, until: record.retired.until }] : [];
  return [{ hash: record.secretHash, until: null }, ...retired];
}
