import { randomUUID } from 'node:crypto';
import { openConversation } from '#lib/conversations/open-conversation.ts';
import { visitorSessionNotFound } from '#lib/conversations/refusals.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { api } from '#lib/http/api.ts';
import type { ApiKeyRecord } from '#lib/table/access/api-key-records.ts';
import { hashOfSecret } from '#lib/table/access/api-keys.ts';
import { newVisitorToken } from '#lib/table/access/new-secret.ts';
import { type StoredToken, storedToken } from '#lib/table/access/visitor-tokens.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { keys } from '#lib/table/keys.ts';
import { Channels } from '#lib/table/messaging/channels.ts';
import { Conversations } from '#lib/table/messaging/conversations.ts';
import { messagingKeys } from '#lib/table/messaging/keys.ts';
import { findRecord, type Item, type Table, type WorkspaceScope } from '#lib/table/table.ts';
import { endpoint, type OpenVisitorSession } from './endpoint.ts';

/** Opens or renews the session of a visitor. A token that this key cannot renew is 404. */
export const handler = api(endpoint, {
  handle: async ({ table, principal, body, requestId, logDetails }) => {
    const session = newToken();
    const { conversationId, customerId, agentId } = await (body.renew === undefined
      ? openNew(table, { principal, requestId }, body, session)
      : renew(table, principal, body.renew, session));
    Object.assign(logDetails, { conversationId });
    const { token, expiresAt } = session;
    return {
      body: { token, expiresAt, conversationId, customerId, agentId },
      headers: { 'cache-control': 'no-store' },
    };
  },
});

/** The input of a new token. */
type Opened = Omit<StoredToken, 'expiresAt'>;

/**
 * The token is stored in the transaction that makes the conversation. The customer is identified by `externalId` alone,
 * because the other details of a page are not verified.
 */
async function openNew(
  table: Table,
  { principal, requestId }: { readonly principal: Principal; readonly requestId: string },
  { channelIdentifier: host, customer, language }: OpenVisitorSession,
  session: NewToken,
): Promise<Opened> {
  if (host === undefined) throw new Error('A session without a website is refused by the schema.');
  const [key, channel] = await Promise.all([keyOf(table, principal), new Channels(table, principal).findWebsite(host)]);
  // The channel of a new website has no agent.
  const agentId = channel?.agentId ?? null;
  const openedIn = ({ id: conversationId, channelId, customerId }: Conversation): Opened => {
    if (channelId === null || customerId === null) throw new Unavailable('The channel or the customer is gone.');
    return { ...key, conversationId, channelId, customerId, agentId, host };
  };
  const externalId = customer?.externalId?.trim() || newAnonymousId();
  const opening = { channelIdentifier: host, customer: { ...customer, externalId }, language };
  const { conversation } = await openConversation(table, { principal, requestId }, opening, (opened) => ({
    token: session.items(openedIn(opened.conversation)).map((Item) => ({ Put: { Item } })),
  }));
  return openedIn(conversation);
}

/** Renews a session for the same conversation, even a resolved one, with the current agent of the channel. */
async function renew(table: Table, principal: Principal, token: string, session: NewToken): Promise<Opened> {
  const [key, stored] = await Promise.all([keyOf(table, principal), renewableToken(table, principal, token)]);
  if (!stored) throw visitorSessionNotFound();
  const { conversationId, customerId, channelId, host } = stored;
  const [conversation, channel] = await Promise.all([
    new Conversations(table, principal).find(conversationId),
    new Channels(table, principal).find(channelId),
  ]);
  if (!conversation) throw visitorSessionNotFound();
  const opened = { ...key, conversationId, customerId, channelId, agentId: channel?.agentId ?? null, host };
  await Promise.all(session.items(opened).map((item) => table.put(item)));
  return opened;
}

/** The calling key with its newest secret. Tokens refer to it by the hash of that secret. */
async function keyOf(table: Table, principal: Principal) {
  const { workspaceId, keyId = '' } = principal;
  const stored = await findRecord<ApiKeyRecord>(table, principal, 'apiKey', keyId);
  if (!stored) throw new Unavailable('The API key is gone.');
  return { workspaceId, keyId, secretHash: stored.secretHash };
}

/** lib/spec/additions.md section 4 */
const tokenMilliseconds = 3_600_000;
const renewableMilliseconds = 30 * 24 * 3_600_000;

/** The `externalId` of an anonymous visitor. */
const newAnonymousId = (): string => `visitor-${randomUUID()}`;

/** A new token, and its items: itself, and a note with its conversation, which ends it. It is valid when they are stored. */
interface NewToken {
  readonly token: string;
  readonly expiresAt: string;
  readonly items: (opened: Opened) => readonly Item[];
}

/** A token that is valid for an hour; only its hash is stored. Access pattern K2. */
function newToken(now = Date.now()): NewToken {
  const token = newVisitorToken();
  const expiresAt = new Date(now + tokenMilliseconds).toISOString();
  const ttl = Math.ceil((now + tokenMilliseconds + renewableMilliseconds) / 1_000);
  const hash = hashOfSecret(token);
  const items = (opened: Opened) => [
    { ...messagingKeys.tokenOf(opened.workspaceId, opened.conversationId, hash), ttl },
    { ...keys.visitorToken(hash), ...opened, expiresAt, ttl },
  ];
  return { token, expiresAt, items };
}

/** A token that its key may renew, until 30 days after its end. Access pattern K2. */
async function renewableToken(
  table: Table,
  { workspaceId, keyId }: WorkspaceScope & { readonly keyId: string | undefined },
  token: string,
  now = Date.now(),
): Promise<StoredToken | undefined> {
  const stored = await storedToken(table, hashOfSecret(token));
  const isOwn = stored?.workspaceId === workspaceId && stored.keyId === keyId;
  return isOwn && Date.parse(stored.expiresAt) + renewableMilliseconds > now ? stored : undefined;
}
