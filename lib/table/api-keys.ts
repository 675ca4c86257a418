import { createHash } from 'node:crypto';
import type { Permission } from '#lib/domain/permission.ts';
import type { Principal } from '#lib/domain/principal.ts';
import { BoundedCache } from './bounded-cache.ts';
import { keys } from './keys.ts';
import type { Item } from './schema.ts';
import type { Table } from './table.ts';

/** What is stored under a secret's hash: all that a request needs to know about its key, in one read. */
export interface StoredSecret {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly permissions: readonly Permission[];
  readonly memberId: string | null;
  /** A copy of the member, written with every change of the member; absent when the member is gone. */
  readonly member?: { readonly active: boolean; readonly permissions: readonly Permission[] };
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** Only the hash is stored, and it is the item's key, so that no secret is ever compared in code. */
export const hashOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Whose secret it is, as far as that tells what to read. */
export type Caller = Pick<Principal, 'workspaceId' | 'keyId'>;

const callers = new BoundedCache<Caller>(10_000);

/** The workspace and key that a secret belonged to when it was last seen: a guess about what to read beside the key. */
export const likelyCaller = (secretHash: string): Caller | undefined => callers.get(secretHash);

/**
 * Access pattern K1: who the holder of a secret is; nobody when the key is unknown, revoked or expired, or when its
 * member is inactive or gone (lib/spec/decisions.md section 2). Read on every request, so that a change counts at once.
 */
export async function findPrincipal(
  table: Table,
  secretHash: string,
  now = Date.now(),
): Promise<Principal | undefined> {
  const stored = (await table.get(keys.apiKey(secretHash))) as (Item & StoredSecret) | undefined;
  if (stored) callers.set(secretHash, { workspaceId: stored.workspaceId, keyId: stored.keyId });
  if (!stored || isPast(stored.expiresAt, now) || isPast(stored.revokedAt, now)) return undefined;
  if (stored.memberId !== null && !stored.member?.active) return undefined;
  return {
    workspaceId: stored.workspaceId,
    keyId: stored.keyId,
    permissions: new Set(stored.permissions),
    member:
      stored.memberId !== null && stored.member
        ? { id: stored.memberId, permissions: new Set(stored.member.permissions) }
        : undefined,
  };
}

const isPast = (time: string | null, now: number): boolean => time !== null && Date.parse(time) <= now;
