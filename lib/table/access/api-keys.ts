import { createHash } from 'node:crypto';
import type { Principal } from '#lib/domain/access/principal.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { ChangeLog } from '../log/change-log.ts';
import { containerMemory } from '../memory/container-memory.ts';
import { findRecord, type Item, type Table, type WorkspaceScope } from '../table.ts';
import type { ApiKeyRecord, StoredSecret } from './api-key-records.ts';
import { isPast, type SeenCaller, SeenCallers } from './seen-callers.ts';

/** Only the hash is stored, and it is the item's key, so that no secret is ever compared in code. */
export const hashOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export interface KeyIdentity extends WorkspaceScope {
  readonly keyId: string;
}

/**
 * Access pattern K1: the owner of a secret. It is undefined for an unknown, revoked or expired key, and if the member of
 * the key is inactive or missing (lib/spec/decisions.md section 2). The key is read on every request, unless the request
 * reads the log, and the log proves that the key has not changed (lib/table/log/README.md).
 */
export async function findPrincipal(
  table: Table,
  secretHash: string,
  now = Date.now(),
): Promise<Principal | undefined> {
  const proven = await provenPrincipal(table, secretHash, now);
  if (proven) return proven;
  const stored = await storedSecret(table, secretHash);
  const principal = stored && principalOf(stored, now);
  const seen: SeenCaller = { principal, expiresAt: stored?.expiresAt ?? null };
  seenKeys.remember(secretHash, seen);
  const keepProof = (log: ChangeLog): void => {
    seen.proof = log.proofOfKey(now);
  };
  // A key that will be revoked at a time is read on every request.
  if (principal && stored.revokedAt === null) begunLog(table, principal)?.then(keepProof, () => undefined);
  return principal;
}

/** The read of the log that this request has begun for other reasons. */
const begunLog = (table: Table, { workspaceId }: WorkspaceScope): Promise<ChangeLog> | undefined =>
  table.begun<ChangeLog>(keys.log(workspaceId));

/** The caller at the last read, if the log that this request reads anyway proves it. */
async function provenPrincipal(table: Table, secretHash: string, now: number): Promise<Principal | undefined> {
  const seen = seenKeys.find(secretHash);
  const { principal, proof, expiresAt = null } = seen ?? {};
  const isDue = !proof || now < proof.readAt || now >= proof.endsAt || isPast(expiresAt, now);
  const log = principal && !isDue && begunLog(table, principal);
  if (!seen || !log || !proof?.isUnchanged(await log)) return undefined;
  seen.speculations = 0;
  return principal;
}

export interface KeyReference extends KeyIdentity {
  readonly secretHash: string;
}

export interface KeyCaller {
  readonly principal: Principal;
  readonly expiresAt: string | null;
}

/** The stored key of a secret, valid or not. */
export const storedSecret = async (table: Table, secretHash: string): Promise<StoredSecret | undefined> =>
  (await table.get(keys.apiKey(secretHash))) as (Item & StoredSecret) | undefined;

/**
 * The caller of a key by its newest secret, as `findPrincipal` returns it. It takes two more reads if the given secret
 * is not the newest, or if none is given.
 */
export async function findCallerOfKey(
  table: Table,
  { workspaceId, keyId, secretHash }: KeyIdentity & Partial<KeyReference>,
  now = Date.now(),
): Promise<KeyCaller | undefined> {
  const isOfKey = (stored: StoredSecret | undefined): stored is StoredSecret =>
    stored?.workspaceId === workspaceId && stored.keyId === keyId;
  let stored = secretHash === undefined ? undefined : await storedSecret(table, secretHash);
  if (!isOfKey(stored) || stored.isRetired) {
    const record = await findRecord<ApiKeyRecord>(table, { workspaceId }, 'apiKey', keyId);
    stored = record && (await storedSecret(table, record.secretHash));
  }
  const principal = isOfKey(stored) ? principalOf(stored, now) : undefined;
  return principal && { principal, expiresAt: stored?.expiresAt ?? null };
}

function principalOf(stored: StoredSecret, now: number): Principal | undefined {
  const { workspaceId, keyId, memberId, member } = stored;
  if (stored.isRevoked || isPast(stored.expiresAt, now) || isPast(stored.revokedAt, now)) return undefined;
  if (memberId !== null && !member?.active) return undefined;
  return {
    kind: 'key',
    workspaceId,
    callerId: keyId,
    idempotencyId: keyId,
    keyId,
    actor: { type: 'key', id: keyId, name: stored.name },
    permissions: new Set(stored.permissions),
    member: memberId !== null && member ? { id: memberId, permissions: new Set(member.permissions) } : undefined,
  };
}

export const seenKeys = new SeenCallers();

const hourMilliseconds = 3_600_000;
const retryMilliseconds = 60_000;
const recordedBytes = 100;

/** The time until which this container has recorded the use of a key, by key, in milliseconds since 1970. */
const recordedUntil = containerMemory.view<number>();

/**
 * Records the hour in which a key was used, once per hour and container (lib/spec/additions.md section 2, keys). The
 * request does not wait for it, does not fail with it, and does not log its cost.
 */
export function recordUse(table: Table, { workspaceId, keyId }: KeyIdentity, now = Date.now()): void {
  const address = `${table.name}#${workspaceId}#${keyId}`;
  if ((recordedUntil.get(address) ?? 0) > now) return;
  const hour = Math.floor(now / hourMilliseconds) * hourMilliseconds;
  recordedUntil.set(address, hour + hourMilliseconds, recordedBytes);
  const at = new Date(hour).toISOString();
  table
    .inBackground()
    .put(
      { ...keys.keyUse(workspaceId, keyId), at },
      {
        ConditionExpression: 'attribute_not_exists(pk) OR #at < :at',
        ExpressionAttributeValues: { ':at': at },
      },
    )
    .catch((error: unknown) => {
      // Another container was first, or the table is unavailable. In the second case a later call retries.
      if (!(error instanceof ConditionFailed)) recordedUntil.set(address, now + retryMilliseconds, recordedBytes);
    });
}
