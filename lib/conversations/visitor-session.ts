import type { Principal } from '#lib/domain/access/principal.ts';
import { findKey } from '#lib/table/access/change-api-key.ts';
import { issueToken, newAnonymousId, renewableToken, type StoredToken } from '#lib/table/access/visitor-tokens.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { Channels } from '#lib/table/messaging/channels.ts';
import { Conversations } from '#lib/table/messaging/conversations.ts';
import type { Table } from '#lib/table/table.ts';
import { openConversation } from './open-conversation.ts';
import { visitorSessionNotFound } from './refusals.ts';
import type { OpenVisitorSession, VisitorSession } from './schemas.ts';

type Opened = Pick<StoredToken, 'conversationId' | 'customerId' | 'channelId'> & { readonly host: string };

/**
 * Opens or renews the session of a visitor (lib/spec/additions.md section 4).
 * @throws 400; 404 for a token that this key cannot renew; Unavailable
 */
export async function openVisitorSession(
  table: Table,
  principal: Principal,
  { renew, ...body }: OpenVisitorSession,
): Promise<VisitorSession> {
  const { workspaceId, keyId = '' } = principal;
  const [opened, key] = await Promise.all([
    renew === undefined ? openNew(table, principal, body) : renewed(table, principal, renew),
    findKey(table, principal, keyId),
  ]);
  if (!key) throw new Unavailable('The API key is gone.');
  const { conversationId, customerId, channelId, host } = opened;
  const agentId = (await new Channels(table, principal).find(channelId))?.agentId ?? null;
  const { secretHash } = key.record;
  const token = { workspaceId, keyId, secretHash, conversationId, customerId, channelId, agentId, host };
  return { ...(await issueToken(table, token)), conversationId, customerId, agentId };
}

/** The customer is known by `externalId` alone: what else a page says of a visitor, nobody has verified. */
async function openNew(
  table: Table,
  principal: Principal,
  { channelIdentifier: host, customer, language }: Omit<OpenVisitorSession, 'renew'>,
): Promise<Opened> {
  const externalId = customer?.externalId?.trim() || newAnonymousId();
  const { conversation } = await openConversation(
    table,
    principal,
    { channelIdentifier: host, customer: { ...customer, externalId }, language },
    () => ({}),
  );
  const { id: conversationId, customerId, channelId } = conversation;
  if (host === undefined || customerId === null || channelId === null)
    throw new Unavailable('The session has no place.');
  return { conversationId, customerId, channelId, host };
}

/** The conversation stays the same, even a resolved one. */
async function renewed(table: Table, principal: Principal, token: string): Promise<Opened> {
  const stored = await renewableToken(table, principal, token);
  const conversation = stored && (await new Conversations(table, principal).find(stored.conversationId));
  if (!conversation) throw visitorSessionNotFound();
  return stored;
}
