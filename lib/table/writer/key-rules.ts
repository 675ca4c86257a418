import { randomUUID } from 'node:crypto';
import { memberKeysMax } from '#lib/domain/access/api-key.ts';
import type { Member } from '#lib/domain/access/member.ts';
import { isInEffect } from '#lib/domain/access/membership.ts';
import { type ApiKeyRecord, type Secret, type StoredSecret, secretsOf } from '../access/api-key-records.ts';
import { isPast } from '../access/seen-callers.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import { accessChange } from '../log/change-log.ts';
import { findRecord, type TransactItem } from '../table.ts';
import { ChangeRefused } from './apply-change.ts';
import type { WriteScope } from './change.ts';
import { planOf, type Rules, recordRules } from './record-rules.ts';

/**
 * API keys, with the items of their secrets. The tag depends on the secrets, too, but does not reveal them. The conditions
 * fail if a secret belongs to another key, if the key or its member has changed since the read, or if the member already
 * has 50 keys.
 */
export const keyRules: Rules = {
  ...recordRules,
  plan: (scope, change, stored) => {
    const { table, workspaceId, context } = scope;
    const { isImport = false } = context;
    if (!change.record && !isImport) throw new Error('A key is revoked, never removed.');
    return planOf(scope, change, stored, async (former, next) => {
      const [before, after] = [former, next] as (ApiKeyRecord | undefined)[];
      const memberId = after?.memberId ?? null;
      const isBounded = !before && memberId !== null && !isImport;
      const [member, guard] = await Promise.all([
        memberId === null ? undefined : findRecord<Member>(table, { workspaceId }, 'member', memberId),
        isBounded ? table.get(keys.memberKeysOf(workspaceId, memberId)) : undefined,
      ]);
      if (isBounded && !member) throw new ChangeRefused('no_member');
      if (Number(guard?.['count'] ?? 0) >= memberKeysMax) throw new ChangeRefused('too_many_keys');
      const isMember = isStill('record', member && JSON.stringify(member));
      const writes = {
        secrets: secretWrites(workspaceId, before, after, member),
        member:
          memberId === null
            ? []
            : { ConditionCheck: { Key: keys.record(workspaceId, 'member', memberId), ...isMember } },
        memberKeys: countWrites(scope, before, after),
      };
      return { writes, logged: [accessChange(change.id)] };
    });
  },
};

/** Each secret has an item; that of one that the key no longer has is removed. */
function secretWrites(
  workspaceId: string,
  before: ApiKeyRecord | undefined,
  after: ApiKeyRecord | undefined,
  member: Member | undefined,
): TransactItem[] {
  const current = secretsOf(after);
  const gone = secretsOf(before).filter(({ hash }) => !current.some((secret) => secret.hash === hash));
  return [
    ...(after ? current.map((secret) => secretWrite(workspaceId, after, member, secret)) : []),
    ...gone.map(({ hash }) => ({ Delete: { Key: keys.apiKey(hash) } })),
  ];
}

function secretWrite(
  workspaceId: string,
  record: ApiKeyRecord,
  member: Member | undefined,
  { hash, until }: Secret,
): TransactItem {
  const stored: StoredSecret = {
    workspaceId,
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
      ExpressionAttributeValues: { ':workspaceId': workspaceId, ':keyId': record.id },
    },
  };
}

const earlier = (a: string | null, b: string | null): string | null => (a === null || (b !== null && b < a) ? b : a);

/** A new secret copies its member, so a concurrent change of the member must conflict with it. */
function countWrites(
  { workspaceId, context: { isImport } }: WriteScope,
  before: ApiKeyRecord | undefined,
  after: ApiKeyRecord | undefined,
): TransactItem[] {
  const [former, current] = [before?.memberId ?? null, after?.memberId ?? null];
  const isCopied = after?.secretHash !== before?.secretHash;
  const isMoved = former !== current;
  const count = (memberId: string, by: number, max?: number): TransactItem => ({
    Update: {
      Key: keys.memberKeysOf(workspaceId, memberId),
      UpdateExpression: 'SET #change = :change ADD #count :by',
      ...(max !== undefined && { ConditionExpression: 'attribute_not_exists(#count) OR #count < :max' }),
      ExpressionAttributeValues: { ':change': randomUUID(), ':by': by, ...(max !== undefined && { ':max': max }) },
    },
  });
  return [
    ...(current !== null && (isMoved || isCopied)
      ? [count(current, isMoved ? 1 : 0, before || isImport ? undefined : memberKeysMax)]
      : []),
    ...(former !== null && isMoved ? [count(former, -1)] : []),
  ];
}
