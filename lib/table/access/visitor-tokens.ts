import { randomUUID } from 'node:crypto';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { keys } from '../keys.ts';
import { messagingKeys } from '../messaging/keys.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import { hashOfSecret } from './api-keys.ts';
import { type StoredToken, storedToken } from './find-visitor.ts';
import { newVisitorToken } from './new-secret.ts';

/** lib/spec/additions.md section 4 */
const tokenMilliseconds = 3_600_000;
const renewableMilliseconds = 30 * 24 * 3_600_000;

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
