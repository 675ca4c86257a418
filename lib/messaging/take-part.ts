import type { Conversation } from '#lib/domain/conversation.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { Channels } from '#lib/table/channels.ts';
import { Conversations } from '#lib/table/conversations.ts';
import { Customers } from '#lib/table/customers.ts';
import { Unavailable } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';
import type { ReplyCase } from './reply-case.ts';
import type { ReplyRequest } from './reply-request.ts';

/** Starts the reads that `takePart` begins with; a failure of theirs is told there. */
export function prefetchPart(table: Table, scope: WorkspaceScope, request: ReplyRequest): void {
  lookUp(table, scope, request).catch(() => undefined);
}

/** Finds by their names what the request gives names of. */
async function lookUp(table: Table, scope: WorkspaceScope, request: ReplyRequest): Promise<void> {
  const { channelId, channelIdentifier, customerId, customer } = request;
  await Promise.all([
    channelId === undefined && channelIdentifier && new Channels(table, scope).lookUpWebsite(channelIdentifier),
    customerId === undefined && customer && new Customers(table, scope).lookUp(customer),
  ]);
}

/**
 * Makes the customer and the website that a request names part of its conversation (lib/spec/interface.md section 2.6,
 * lib/spec/decisions.md section 7); changes nothing when they are already.
 * @returns the channel that the reply goes to
 */
export async function takePart(
  table: Table,
  scope: WorkspaceScope,
  { channelId, conversation }: Pick<ReplyCase, 'channelId' | 'conversation'>,
  request: ReplyRequest,
): Promise<string> {
  // The records behind the names are read together, in one call, when all names are found.
  await lookUp(table, scope, request);
  const [customerId, websiteId] = await Promise.all([
    customerOf(table, scope, request),
    channelId === undefined ? new Channels(table, scope).idOfWebsite(request.channelIdentifier ?? '') : undefined,
  ]);
  const change = (stored: Conversation): Conversation => ({
    ...stored,
    channelId: websiteId ?? stored.channelId,
    customerId: stored.customerId ?? customerId ?? null,
  });
  if (JSON.stringify(change(conversation)) !== JSON.stringify(conversation)) {
    await new Conversations(table, scope).change(conversation.id, change);
  }
  const destination = channelId ?? websiteId;
  if (destination === undefined) throw new Unavailable('The channel of the website was not found.');
  return destination;
}

async function customerOf(
  table: Table,
  scope: WorkspaceScope,
  { customerId, customer }: ReplyRequest,
): Promise<string | undefined> {
  if (customerId !== undefined || !customer) return customerId;
  return (await new Customers(table, scope).findOrCreate(customer))?.id;
}
