import type { Principal, Visitor } from '#lib/domain/access/principal.ts';
import { started } from '#lib/domain/started.ts';
import { keys } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { findCallerOfKey, type KeyReference } from './api-keys.ts';
import { isPast, SeenCallers } from './seen-callers.ts';

/** The item of a token's hash: the scope of the token, and the key that issued it. */
export interface StoredToken extends KeyReference, Visitor {
  readonly expiresAt: string;
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
  const [expiresAt = null] = [token?.expiresAt, holder?.expiresAt].filter((time) => typeof time === 'string').sort();
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
