import type { Conversation } from '#lib/domain/conversation.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { Channels } from '#lib/table/channels.ts';
import { Conversations } from '#lib/table/conversations.ts';
import { Customers } from '#lib/table/customers.ts';
import { Unavailable } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';
import type { ReplyCase } from './reply-case.ts';
import type { ReplyRequest } from './reply-request.ts';

/** The channel that the reply goes to, or that the conversation belongs to another customer by now. */
export type Attached = { readonly channelId: string } | 'other_customer';

/**
 * Attaches the customer and the website channel that a request names to its conversation. A customer is looked up or
 * made only for a conversation that has none, so that unverified details change nothing elsewhere.
 * @throws Unavailable
 */
export async function attachParticipants(
  table: Table,
  scope: WorkspaceScope,
  { channelId, conversation }: Pick<ReplyCase, 'channelId' | 'conversation'>,
  request: ReplyRequest,
): Promise<Attached> {
  const [customerId, websiteId] = await Promise.all([
    conversation.customerId ?? customerOf(table, scope, request),
    channelId === undefined ? new Channels(table, scope).idOfWebsite(request.channelIdentifier ?? '') : undefined,
  ]);
  const change = (stored: Conversation): Conversation => ({
    ...stored,
    channelId: websiteId ?? stored.channelId,
    customerId: stored.customerId ?? customerId ?? null,
  });
  if (JSON.stringify(change(conversation)) !== JSON.stringify(conversation)) {
    const changed = await new Conversations(table, scope).change(conversation.id, change);
    if (customerId !== undefined && changed && changed.customerId !== customerId) return 'other_customer';
  }
  const destination = channelId ?? websiteId;
  if (destination === undefined) throw new Unavailable('The channel of the website was not found.');
  return { channelId: destination };
}

async function customerOf(
  table: Table,
  scope: WorkspaceScope,
  { customerId, customer }: ReplyRequest,
): Promise<string | undefined> {
  if (customerId !== undefined || !customer) return customerId;
  return (await new Customers(table, scope).findOrCreate(customer))?.id;
}
