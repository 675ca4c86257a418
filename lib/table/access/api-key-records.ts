import { randomUUID } from 'node:crypto';
import { type ApiKey, memberKeysMax } from '#lib/domain/access/api-key.ts';
import type { Member } from '#lib/domain/access/member.ts';
import { isInEffect } from '#lib/domain/access/membership.ts';
import type { Permission } from '#lib/domain/access/permission.ts';
import { type Condition, isStill } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import { editedNow } from '../stored-item.ts';
import { findRecord, Repository, recordOf, type TransactItem, type Writes } from '../table.ts';
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

interface KeyChange {
  /** The key as it was read; undefined if it is new. */
  readonly before: ApiKeyRecord | undefined;
  /** Undefined to remove the key. */
  readonly after: ApiKeyRecord | undefined;
  /** The member of the key after the change. */
  readonly member: Member | undefined;
  /** A random id of the change, by which it recognizes its own write. */
  readonly revision: string;
  /** Changes by an import are not marked as edits, and have no limits. */
  readonly isImport: boolean;
}

/** The keys and members of one workspace, for the management endpoints, the operator's commands and the import. */
export class ApiKeyRecords extends Repository {
  list = (): Promise<ApiKeyRecord[]> => this.#records('apiKey');
  members = (): Promise<Member[]> => this.#records('member');

  #records = <Record>(kind: 'apiKey' | 'member'): Promise<Record[]> =>
    Array.fromAsync(this.table.query({ pk: keys.records(this.workspaceId, kind) }), recordOf<Record>);

  /** Never cached, because a change of a record depends on its stored version. */
  findMember = (id: string): Promise<Member | undefined> => findRecord(this.table.uncached(), this, 'member', id);

  /**
   * The writes that store a key with its secrets, and remove secrets that it no longer has. Their conditions fail if a
   * secret belongs to another key. They also fail if the key or its member has changed since the read. If the member
   * already has 50 keys, the write `memberKeys` fails.
   */
  changeOf(change: KeyChange): Writes {
    const { before, after, member } = change;
    const current = secretsOf(after);
    const gone = secretsOf(before).filter(({ hash }) => !current.some((secret) => secret.hash === hash));
    return {
      key: [
        this.#writeKey(change),
        ...(after ? current.map((secret) => this.#putSecret(after, member, secret)) : []),
        ...gone.map(({ hash }) => ({ Delete: { Key: keys.apiKey(hash) } })),
      ],
      member:
        after && after.memberId !== null
          ? [
              {
                ConditionCheck: {
                  Key: keys.record(this.workspaceId, 'member', after.memberId),
                  ...isUnchanged(member),
                },
              },
            ]
          : [],
      memberKeys: this.#countKey(change),
    };
  }

  #writeKey({ before, after, revision, isImport }: KeyChange): TransactItem {
    const id = after?.id ?? before?.id ?? '';
    const key = keys.record(this.workspaceId, 'apiKey', id);
    if (!after) return { Delete: { Key: key, ...isUnchanged(before) } };
    const marks = isImport ? {} : { revision, ...editedNow() };
    return { Put: { Item: { ...key, record: JSON.stringify(after), ...marks }, ...isUnchanged(before) } };
  }

  /** A new secret copies its member, so a concurrent change of the member must conflict with it. */
  #countKey({ before, after, isImport }: KeyChange): TransactItem[] {
    const [former, current] = [before?.memberId ?? null, after?.memberId ?? null];
    const isCopied = after?.secretHash !== before?.secretHash;
    const isMoved = former !== current;
    return [
      ...(current !== null && (isMoved || isCopied)
        ? [this.#count(current, isMoved ? 1 : 0, before || isImport ? undefined : memberKeysMax)]
        : []),
      ...(former !== null && isMoved ? [this.#count(former, -1)] : []),
    ];
  }

  #count(memberId: string, by: number, max?: number): TransactItem {
    return {
      Update: {
        Key: keys.memberKeysOf(this.workspaceId, memberId),
        UpdateExpression: 'SET #change = :change ADD #count :by',
        ...(max !== undefined && { ConditionExpression: 'attribute_not_exists(#count) OR #count < :max' }),
        ExpressionAttributeValues: {
          ':change': randomUUID(),
          ':by': by,
          ...(max !== undefined && { ':max': max }),
        },
      },
    };
  }

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
