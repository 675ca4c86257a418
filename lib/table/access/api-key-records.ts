import { randomUUID } from 'node:crypto';
import { type ApiKey, memberKeysMax } from '#lib/domain/access/api-key.ts';
import type { Member } from '#lib/domain/access/member.ts';
import { isInEffect } from '#lib/domain/access/membership.ts';
import type { Permission } from '#lib/domain/access/permission.ts';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { type Condition, isStill } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import { findRecord, recordOf } from '../record-of.ts';
import { Repository } from '../repository.ts';
import type { Item, Key } from '../schema.ts';
import { editedNow } from '../stored-item.ts';
import type { Table, TransactItem, Writes } from '../table.ts';
import { writeOfMember } from './member-item.ts';
import { isPast } from './seen-callers.ts';

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

/** The source of a change. Changes by an import are not marked as edits, and have no limits. */
type Author = 'operator' | 'service' | 'import';

/** The keys and members of one workspace, for the management endpoints, the operator's commands and the import. */
export class ApiKeyRecords extends Repository {
  readonly #author: Author;

  /** @param author the source of the changes, see `Author` */
  constructor(table: Table, scope: WorkspaceScope, author: Author) {
    super(table, scope);
    this.#author = author;
  }

  list = async (): Promise<ApiKeyRecord[]> => (await this.items('apiKey')).map(recordOf<ApiKeyRecord>);
  members = async (): Promise<Member[]> => (await this.items('member')).map(recordOf<Member>);

  /** The stored items, with the marks of edits. */
  items = (kind: 'apiKey' | 'member'): Promise<Item[]> =>
    Array.fromAsync(this.table.query({ pk: keys.records(this.workspaceId, kind) }));

  /** Never cached, like the next, because a change of a record depends on its stored version. */
  find = (id: string): Promise<ApiKeyRecord | undefined> => findRecord(this.table.uncached(), this, 'apiKey', id);
  findMember = (id: string): Promise<Member | undefined> => findRecord(this.table.uncached(), this, 'member', id);

  /**
   * The writes that store a key with its secrets, and remove secrets that it no longer has. Their conditions fail if a
   * secret belongs to another key. They also fail if the key or its member has changed since the read. If the member
   * already has 50 keys, the write `memberKeys` fails.
   * @param before the key as it was read; undefined if it is new
   * @param revision a random id of the change, by which it recognizes its own write
   */
  changeOf(
    record: ApiKeyRecord,
    member: Member | undefined,
    before: ApiKeyRecord | undefined,
    revision?: string,
  ): Writes {
    return {
      key: this.saving(record, member, before, revision),
      member: record.memberId === null ? [] : [this.#memberIsStill(record.memberId, member)],
      memberKeys: this.#noteKey(record, before),
    };
  }

  /** The writes of the key itself, for a transaction that also writes the member. */
  saving(record: ApiKeyRecord, member: Member | undefined, before?: ApiKeyRecord, revision?: string): TransactItem[] {
    const current = secretsOf(record);
    const gone = secretsOf(before).filter(({ hash }) => !current.some((secret) => secret.hash === hash));
    return [
      this.#putKey(record, before, revision),
      ...current.map((secret) => this.#putSecret(record, member, secret)),
      ...gone.map(({ hash }) => this.#remove(keys.apiKey(hash))),
    ];
  }

  /** An unchanged key keeps its mark of an edit. Only its copy of the member is written. */
  #putKey(record: ApiKeyRecord, before: ApiKeyRecord | undefined, revision?: string): TransactItem {
    const key = keys.record(this.workspaceId, 'apiKey', record.id);
    const text = JSON.stringify(record);
    if (before && text === JSON.stringify(before)) return { ConditionCheck: { Key: key, ...isUnchanged(before) } };
    const mark = { ...(revision !== undefined && { revision }), ...(this.#author === 'import' ? {} : editedNow()) };
    return { Put: { Item: { ...key, record: text, ...mark }, ...isUnchanged(before) } };
  }

  /** A new secret copies its member, so a concurrent change of the member must conflict with it. */
  #noteKey(record: ApiKeyRecord, before: ApiKeyRecord | undefined): TransactItem[] {
    if (record.memberId === null || record.secretHash === before?.secretHash) return [];
    const isBounded = !before && this.#author !== 'import';
    return [
      {
        Update: {
          Key: keys.memberKeysOf(this.workspaceId, record.memberId),
          UpdateExpression: 'SET #change = :change ADD #count :new',
          ...(isBounded && { ConditionExpression: 'attribute_not_exists(#count) OR #count < :max' }),
          ExpressionAttributeValues: {
            ':change': randomUUID(),
            ':new': before ? 0 : 1,
            ...(isBounded && { ':max': memberKeysMax }),
          },
        },
      },
    ];
  }

  /** For imports: the member is stored without the mark of an edit. */
  savingMember(after: Member, before: Member | undefined): TransactItem {
    const key = keys.record(this.workspaceId, 'member', after.id);
    return writeOfMember(key, { before, after }, { revision: undefined, editedAt: undefined });
  }

  removing(record: ApiKeyRecord): TransactItem[] {
    return [
      this.#remove(keys.record(this.workspaceId, 'apiKey', record.id), isUnchanged(record)),
      ...secretsOf(record).map(({ hash }) => this.#remove(keys.apiKey(hash))),
    ];
  }

  removingMember = (id: string): TransactItem => this.#remove(keys.record(this.workspaceId, 'member', id));

  #putSecret(record: ApiKeyRecord, member: Member | undefined, { hash, until }: Secret): TransactItem {
    const stored: StoredSecret = {
      workspaceId: this.workspaceId,
      keyId: record.id,
      name: record.name,
      permissions: record.permissions,
      memberId: record.memberId,
      member: member && { active: isInEffect(member), permissions: member.permissions },
      expiresAt: earlier(record.expiresAt, until),
      revokedAt: record.revokedAt,
      ...(isPast(record.revokedAt, Date.now()) && { isRevoked: true }),
      ...(until !== null && { isRetired: true }),
    };
    return {
      Put: {
        Item: { ...keys.apiKey(hash), ...stored },
        ConditionExpression: 'attribute_not_exists(pk) OR (workspaceId = :workspaceId AND keyId = :keyId)',
        ExpressionAttributeValues: { ':workspaceId': this.workspaceId, ':keyId': record.id },
      },
    };
  }

  #remove = ({ pk, sk }: Key, condition?: Condition): TransactItem => ({
    Delete: { Key: { pk, sk }, ...condition },
  });

  #memberIsStill(id: string, member: Member | undefined): TransactItem {
    const key = keys.record(this.workspaceId, 'member', id);
    return { ConditionCheck: { Key: key, ...isUnchanged(member) } };
  }
}

/** The condition that a record is stored as it was read, or not at all. */
const isUnchanged = (record: object | undefined): Condition => isStill('record', record && JSON.stringify(record));

interface Secret {
  readonly hash: string;
  readonly until: string | null;
}

/** The secrets of a key, including the retired one. */
export function secretsOf(record: ApiKeyRecord | undefined): Secret[] {
  if (!record) return [];
  const retired = record.retired ? [{ hash: record.retired.secretHash, until: record.retired.until }] : [];
  return [{ hash: record.secretHash, until: null }, ...retired];
}

const earlier = (a: string | null, b: string | null): string | null => (a === null || (b !== null && b < a) ? b : a);
