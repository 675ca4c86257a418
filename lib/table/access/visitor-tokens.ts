import { randomUUID } from 'node:crypto';
import type { Principal, Visitor, WorkspaceScope } from '#lib/domain/access/principal.ts';
import { started } from '#lib/domain/started.ts';
import { keys } from '../keys.ts';
import { messagingKeys } from '../messaging/keys.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import { findCallerOfKey, hashOfSecret, type KeyReference } from './api-keys.ts';
import { newVisitorToken } from './new-secret.ts';
import { isPast, SeenCallers } from './seen-callers.ts';

/** lib/spec/additions.md section 4 */
const tokenMilliseconds = 3_600_000;
const renewableMilliseconds = 30 * 24 * 3_600_000;

/** The item of a token's hash: the scope of the token, and the key that issued it. */
interface StoredToken extends KeyReference, Visitor {
  readonly expiresAt: string;
}

/** The `externalId` of an anonymous visitor. */
export const newAnonymousId = (): string => `visitor-${randomUUID()}`;

/** A new token, and its items: itself, and a note with its conversation, which ends it. It is valid when they are stored. */
export interface NewToken {
  readonly token: string;
  readonly expiresAt: string;
  readonly items: (opened: Omit<StoredToken, 'expiresAt'>) => readonly Item[];
}

/** A token that is valid for an hour; only its hash is stored. Access pattern K2. */
export function newToken(now = Date.now()): NewToken {
  const token = newVisitorToken();
  const expiresAt = new Date(now + tokenMilliseconds).toISOString();
  const ttl = Math.ceil((now + tokenMilliseconds + renewableMilliseconds) / 1_000);
  const hash = hashOfSecret(token);
  const items = (opened: Omit<StoredToken, 'expiresAt'>) => [
    { ...messagingKeys.tokenOf(opened.workspaceId, opened.conversationId, hash), ttl },
    { ...keys.visitorToken(hash), ...opened, expiresAt, ttl },
  ];
  return { token, expiresAt, items };
}

/** A token that its key may renew, until 30 days after its end. Access pattern K2. */
export async function renewableToken(
  table: Table,
  { workspaceId, keyId }: WorkspaceScope & { readonly keyId: string | undefined },
  token: string,
  now = Date.now(),
): Promise<StoredToken | undefined> {
  const stored = await storedToken(table, hashOfSecret(token));
  const isOwn = stored?.workspaceId === workspaceId && stored.keyId === keyId;
  return isOwn && Date.parse(stored.expiresAt) + renewableMilliseconds > now ? stored : undefined;
}

export const seenTokens = new SeenCallers();

/**
 * The visitor of a token. Undefined if the token is unknown or expired, or if its key or the key's member is invalid.
 * Access pattern K2. It takes two small reads, in one round trip if this container has cached the token.
 */
export async function findVisitor(table: Table, tokenHash: string, now = Date.now()): Promise<Principal | undefined> {
  const secretHash = seenTokens.find(tokenHash)?.secretHash;
  if (secretHash !== undefined) started(table.get(keys.apiKey(secretHash)));
  const stored = await storedToken(table, tokenHash);
  const token = stored && !isPast(stored.expiresAt, now) ? stored : undefined;
  const holder = token && (await findCallerOfKey(table, token, now));
  const principal = token && holder ? visitorOf(token, holder.principal) : undefined;
  const expiresAt = earliest(token?.expiresAt, holder?.expiresAt);
  seenTokens.remember(tokenHash, { principal, expiresAt, secretHash: token?.secretHash });
  return principal;
}

/** The item of a token, valid or not. */
export const storedToken = async (table: Table, tokenHash: string): Promise<StoredToken | undefined> =>
  (await table.get(keys.visitorToken(tokenHash))) as (Item & StoredToken) | undefined;

function visitorOf(token: StoredToken, holder: Principal): Principal {
  const { conversationId, customerId, channelId, agentId, host } = token;
  return {
    ...holder,
    kind: 'visitor',
    // The person, so that a renewed token begins no new count. No id of a key contains `#`.
    callerId: `visitor#${customerId}`,
    idempotencyId: `visitor#${conversationId}`,
    visitor: { conversationId, customerId, channelId, agentId, host },
  };
}

const earliest = (...times: readonly (string | null | undefined)[]): string | null =>
  times.filter((time) => typeof time === 'string').sort()[0] ?? null;
