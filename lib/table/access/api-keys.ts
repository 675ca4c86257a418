import { createHash } from 'node:crypto';
import type { Permission } from '#lib/domain/access/permission.ts';
import type { Principal, WorkspaceScope } from '#lib/domain/access/principal.ts';
import { milliseconds } from '../dynamodb/clock.ts';
import { keys } from '../keys.ts';
import { containerMemory } from '../memory/container-memory.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';

/** The item under a secret's hash: everything that a request needs of its key, in one read. */
export interface StoredSecret {
  readonly workspaceId: string;
  readonly keyId: string;
  /** A copy of the key's name; absent from what an earlier version has stored. */
  readonly name?: string;
  readonly permissions: readonly Permission[];
  readonly memberId: string | null;
  /** A copy of the member, written with every change of the member; absent when the member is gone. */
  readonly member?: { readonly active: boolean; readonly permissions: readonly Permission[] };
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** Only the hash is stored, and it is the item's key, so that no secret is ever compared in code. */
export const hashOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** A stored key, as far as it tells whose data is meant. */
export interface KeyName extends WorkspaceScope {
  readonly keyId: string;
}

/**
 * Access pattern K1: the holder of a secret; undefined when the key is unknown, revoked or expired, or when its member
 * is inactive or gone (lib/spec/decisions.md section 2). Read on every request, so that a change counts at once.
 */
export async function findPrincipal(
  table: Table,
  secretHash: string,
  now = Date.now(),
): Promise<Principal | undefined> {
  const readAt = milliseconds();
  const stored = (await table.get(keys.apiKey(secretHash))) as (Item & StoredSecret) | undefined;
  const principal = stored && principalOf(stored, now);
  remember(secretHash, { principal, expiresAt: stored?.expiresAt ?? null, readAt, guesses: 0 });
  return principal;
}

/** The stored key of a secret whether or not it counts, from the item that `findPrincipal` has read. */
export async function storedKeyOf(table: Table, secretHash: string): Promise<KeyName | undefined> {
  const stored = (await table.get(keys.apiKey(secretHash))) as (Item & StoredSecret) | undefined;
  return stored && { workspaceId: stored.workspaceId, keyId: stored.keyId };
}

function principalOf(stored: StoredSecret, now: number): Principal | undefined {
  const { workspaceId, keyId, memberId, member } = stored;
  if (isPast(stored.expiresAt, now) || isPast(stored.revokedAt, now)) return undefined;
  if (memberId !== null && !member?.active) return undefined;
  return {
    kind: 'key',
    workspaceId,
    callerId: keyId,
    idempotencyId: keyId,
    keyId,
    actor: { type: 'key', id: keyId, name: stored.name ?? keyId },
    permissions: new Set(stored.permissions),
    member: memberId !== null && member ? { id: memberId, permissions: new Set(member.permissions) } : undefined,
  };
}

interface SeenKey {
  /** Undefined when the key did not count when it was read last. */
  readonly principal: Principal | undefined;
  readonly expiresAt: string | null;
  /** When the read began, on the clock of clock.ts. */
  readonly readAt: number;
  /** Number of guesses since then. */
  guesses: number;
}

const seenKeys = containerMemory.view<SeenKey>();
/** The weight of a principal with its permissions. */
const seenBytes = 2_000;
/** A key that was just revoked costs no more work than so many requests, however many are in flight. */
const guessesMax = 8;

/**
 * The caller that a secret belonged to when it was read last: a guess, by which work can begin before the key is read.
 * There is none for a key that did not count then, or that has expired since.
 */
export function guessPrincipal(secretHash: string, now = Date.now()): Principal | undefined {
  const seen = seenKeys.get(secretHash);
  if (!seen?.principal || isPast(seen.expiresAt, now) || seen.guesses >= guessesMax) return undefined;
  seen.guesses++;
  return seen.principal;
}

/** A read that began before another one says nothing new, although it may end later. */
function remember(secretHash: string, seen: SeenKey): void {
  const before = seenKeys.get(secretHash);
  if (before ? before.readAt <= seen.readAt : seen.principal) seenKeys.set(secretHash, seen, seenBytes);
}

/** Whether two principals may do and see the same. */
export const isSamePrincipal = (a: Principal, b: Principal): boolean =>
  a.kind === b.kind &&
  a.workspaceId === b.workspaceId &&
  a.callerId === b.callerId &&
  a.member?.id === b.member?.id &&
  isSameSet(a.permissions, b.permissions) &&
  isSameSet(a.member?.permissions, b.member?.permissions);

const isSameSet = (a: ReadonlySet<Permission> = new Set(), b: ReadonlySet<Permission> = new Set()): boolean =>
  a.size === b.size && a.isSubsetOf(b);

const isPast = (time: string | null, now: number): boolean => time !== null && Date.parse(time) <= now;
