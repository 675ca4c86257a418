import { requireOwnReply } from '#lib/conversations/visitor-limits.ts';
import { changedPaths } from '#lib/domain/access/changed-paths.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { authorOf, type EventAuthor } from '#lib/domain/events/workspace-event.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { type StreamReply, type StreamRequestOf, streamApi } from '#lib/http/stream-api.ts';
import {
  customerNotFound,
  type ReplyContext,
  readReplyContext,
  warmReplyContext,
} from '#lib/messaging/reply-context.ts';
import { conversationNotFound } from '#lib/messaging/reply-failure.ts';
import type { ReplyRequest } from '#lib/messaging/reply-request.ts';
import {
  replyMillisecondsMax,
  reserveMilliseconds,
  streamHeaders,
  streamRefusal,
  streamReply,
} from '#lib/messaging/stream-reply.ts';
import { withinChannelLimit } from '#lib/messaging/website-channel.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { eventWrite } from '#lib/table/events/event-writes.ts';
import { Channels } from '#lib/table/messaging/channels.ts';
import { ConversationChanges } from '#lib/table/messaging/conversation-changes.ts';
import { Customers } from '#lib/table/messaging/customers.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';
import { ChangeRefused } from '#lib/table/writer/apply-change.ts';
import { repeatWrite } from '#lib/table/writer/repeat-write.ts';
import { endpoint } from './endpoint.ts';

export const handler = streamApi(
  endpoint,
  reply,
  async ({ table, principal, hint }) => hint && warmReplyContext(table, principal, hint),
);

async function reply(request: StreamRequestOf<typeof endpoint>): Promise<StreamReply> {
  const { table, principal: scope, body, requestId, trace, counters, tableFor, remainingMilliseconds } = request;
  requireOwnReply(scope, body);
  const found = await readReplyContext(table, scope, body);
  if (typeof found === 'string') return { headers: streamHeaders, body: streamRefusal(found) };
  const attached = await attachParticipants(table, scope, authorOf(scope, requestId), found, body);
  if (typeof attached === 'string') return { headers: streamHeaders, body: streamRefusal(attached) };
  const milliseconds = Math.max(0, Math.min(replyMillisecondsMax, remainingMilliseconds() - reserveMilliseconds));
  const order = { ...found, ...attached, scope, requestId, trace, counters, tableFor, milliseconds };
  Object.assign(request.logDetails, { conversationId: found.conversation.id, agentId: found.agent.id });
  return { headers: streamHeaders, body: streamReply(order) };
}

/** The reply's channel, or the message of a refusal: the conversation has another customer since, or the customer is gone. */
type Attached = { readonly channelId: string } | string;

type Attachment = [
  scope: Principal,
  author: EventAuthor,
  found: Pick<ReplyContext, 'channelId' | 'conversation'>,
  request: ReplyRequest,
];

/**
 * Attaches the request's customer and website channel to its conversation. If one of them is removed meanwhile, it
 * begins again, and a website gets a new channel.
 * @throws 429, Unavailable
 */
const attachParticipants = (table: Table, ...attachment: Attachment): Promise<Attached> =>
  repeatWrite<Table, Attached>(table, {
    prepare: (tries) => (tries === 1 ? table : table.uncached()),
    write: (reads) =>
      tryToAttach(reads, ...attachment).catch((error: unknown) => {
        if (error instanceof ChangeRefused && error.reason === 'orphaned') return 'changed' as const;
        throw error;
      }),
  });

/**
 * A customer is found or created only for a conversation without one, so that unverified details change no other record.
 * @throws 429, ChangeRefused `orphaned`, Unavailable
 */
async function tryToAttach(
  table: Table,
  ...[scope, author, { channelId, conversation }, request]: Attachment
): Promise<Attached> {
  // First, because a request that may not create a channel must not create a customer either.
  const channels = new Channels(table, scope);
  const host = request.channelIdentifier ?? '';
  const websiteId =
    channelId === undefined ? await withinChannelLimit(scope, channels.idOfWebsite(host, scope, author)) : undefined;
  if (conversation.customerId === null && request.customerId !== undefined) {
    if (!(await new Customers(table, scope).find(request.customerId))) return customerNotFound;
  }
  const customerId = conversation.customerId ?? (await customerOf(table, scope, author, request));
  const change = (stored: Conversation): Conversation => ({
    ...stored,
    channelId: websiteId ?? stored.channelId,
    customerId: stored.customerId ?? customerId ?? null,
  });
  if (JSON.stringify(change(conversation)) !== JSON.stringify(conversation)) {
    const changed = await new ConversationChanges(table, scope).change(
      conversation.id,
      change,
      ({ before = {}, after = {} }) => ({
        event: eventWrite(scope, {
          kind: 'conversations',
          recordId: conversation.id,
          action: 'updated',
          changed: changedPaths(before, after),
          ...author,
        }),
      }),
    );
    if (customerId !== undefined && changed && changed.customerId !== customerId) return conversationNotFound;
  }
  const destination = channelId ?? websiteId;
  if (destination === undefined) throw new Unavailable('The channel of the website was not found.');
  return { channelId: destination };
}

async function customerOf(
  table: Table,
  scope: WorkspaceScope,
  author: EventAuthor,
  { customerId, customer }: ReplyRequest,
): Promise<string | undefined> {
  if (customerId !== undefined || !customer) return customerId;
  return (await new Customers(table, scope).findOrCreate(customer, author))?.id;
}
