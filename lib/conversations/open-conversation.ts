import type { Principal } from '#lib/domain/access/principal.ts';
import { authorOf, type EventAuthor } from '#lib/domain/events/workspace-event.ts';
import type { Issue } from '#lib/domain/input.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { languageIn } from '#lib/domain/text/language-tag.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';
import { withinChannelLimit } from '#lib/messaging/website-channel.ts';
import { Contended, Unavailable } from '#lib/table/errors.ts';
import { eventWrite } from '#lib/table/events/event-writes.ts';
import { Channels, isChannelTaken } from '#lib/table/messaging/channels.ts';
import {
  ConversationChanges,
  type Creation,
  isOpenedByOther,
  type NewConversation,
  newConversationId,
} from '#lib/table/messaging/conversation-changes.ts';
import { Customers, isCustomerTaken } from '#lib/table/messaging/customers.ts';
import type { Table, WorkspaceScope, Writes } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { repeatWrite, tryTransaction } from '#lib/table/writer/repeat-write.ts';
import { idNotFound, languageUnknown, otherCustomer } from './refusals.ts';
import type { OpenConversation } from './schemas.ts';

/** 200 for an existing conversation, 201 for a new one. */
export interface Opened {
  readonly status: 200 | 201;
  readonly conversation: Conversation;
}

/** True for conflicts that a retry resolves: another call also creates the channel, the customer or the conversation. */
const isTransient = (error: unknown): boolean =>
  error instanceof Contended || [isChannelTaken, isCustomerTaken, isOpenedByOther].some((isTaken) => isTaken(error));

interface Opener {
  readonly principal: Principal;
  readonly requestId: string;
}

/** Tries the transaction once. */
type Try = () => Promise<Opened | Contended | 'changed'>;

/**
 * The open main conversation of a customer on a channel, or a new sub-conversation (lib/spec/additions.md section 3,
 * "Finding the conversation"). A refused request creates nothing, neither a customer nor a channel.
 * @throws 400, 403, 429, Unavailable
 */
export const openConversation = (
  table: Table,
  { principal: scope, requestId }: Opener,
  body: OpenConversation,
  additionalWrites: (opened: Opened) => Writes,
): Promise<Opened> => {
  const author = authorOf(scope, requestId);
  return repeatWrite<Try | 'changed', Opened>(table, {
    prepare: (tries) =>
      begin(tries === 1 ? table : table.uncached(), scope, author, body, additionalWrites).catch(orBeginAgain),
    write: async (write) => (write === 'changed' ? write : write().catch(orBeginAgain)),
  });
};

function orBeginAgain(error: unknown): 'changed' {
  if (isTransient(error)) return 'changed';
  throw error;
}

async function begin(
  table: Table,
  scope: Principal,
  author: EventAuthor,
  body: OpenConversation,
  additionalWrites: (opened: Opened) => Writes,
): Promise<Try> {
  const { parent, language } = await readAndCheck(table, scope, body);
  const [channelId, { customerId, writes, isNew }] = await Promise.all([
    channelOf(table, scope, author, body, parent),
    customerOf(table, scope, author, body, parent),
  ]);
  const conversations = new ConversationChanges(table, scope);
  const make = (): NewConversation => ({
    id: newConversationId(),
    kind: body.kind ?? 'main',
    parentId: parent?.id ?? null,
    channelId,
    customerId,
    language,
    status: 'open',
    assignee: null,
  });
  const writesWith = (conversation: Conversation) => ({
    ...additionalWrites({ status: 201, conversation }),
    ...writes,
    event: eventWrite(scope, { kind: 'conversations', recordId: conversation.id, action: 'created', ...author }),
  });
  if (parent) return created(conversations.creation(make(), writesWith));
  if (channelId === null || customerId === null) throw new Unavailable('The channel or the customer is gone.');
  const on = { channelId, customerId };
  if (isNew) return created(conversations.openFirst(on, make(), writesWith));
  const conversation = await conversations.findOrOpen(on, make, writesWith);
  if ('write' in conversation) return created(conversation);
  const opened = { status: 200, conversation } as const;
  return found(table, opened, { ...additionalWrites(opened), ...writes });
}

async function created(steps: Creation): Promise<Try> {
  const prepared = await steps.prepare(1);
  return async () => {
    const outcome = await steps.write(prepared);
    if (outcome === 'changed' || outcome instanceof Contended) return outcome;
    return { status: 201, conversation: outcome.after as Conversation };
  };
}

function found(table: Table, opened: Opened, writes: Writes): Try {
  const isEmpty = Object.values(writes).every((write) => write === undefined);
  return async () => (isEmpty ? undefined : await tryTransaction(table, writes)) ?? opened;
}

/**
 * @returns the parent, if the request names one, and the language in the workspace's spelling
 * @throws 400 with all issues, 403
 */
async function readAndCheck(
  table: Table,
  scope: WorkspaceScope,
  { parentId, channelId, customerId, customer, language: named }: OpenConversation,
): Promise<{ readonly parent: Conversation | undefined; readonly language: string | null }> {
  const customers = new Customers(table, scope);
  const [workspace, parent, channel, storedCustomer] = await Promise.all([
    findWorkspace(table, scope.workspaceId),
    parentId === undefined ? undefined : new ConversationChanges(table, scope).find(parentId),
    channelId === undefined ? undefined : new Channels(table, scope).find(channelId),
    customerId === undefined ? undefined : customers.find(customerId),
  ]);
  const owner = parent?.customerId ?? undefined;
  const issues: Issue[] = [];
  if (parentId !== undefined && !parent) issues.push(idNotFound('parentId', 'a conversation'));
  if (parent && parent.kind !== 'main') issues.push(parentNotMain);
  if (channelId !== undefined && !channel) issues.push(idNotFound('channelId', 'a channel'));
  if (customerId !== undefined && !storedCustomer && owner === undefined)
    issues.push(idNotFound('customerId', 'a customer'));
  const languages = workspace?.languages ?? [];
  const language = named ? languageIn(languages, named) : null;
  if (language === undefined) issues.push(languageUnknown(languages));
  if (issues.length > 0) throw badRequest(issues.map(validationFailed));
  if (owner !== undefined && (await customers.isAnother(owner, { customerId, customer }))) throw otherCustomer();
  return { parent, language: language ?? null };
}

const parentNotMain: Issue = {
  path: 'parentId',
  code: 'not_allowed',
  message: 'parentId: Must be a main conversation.',
};

async function channelOf(
  table: Table,
  scope: Principal,
  author: EventAuthor,
  { channelId, channelIdentifier }: OpenConversation,
  parent: Conversation | undefined,
): Promise<string | null> {
  if (channelId !== undefined) return channelId;
  if (channelIdentifier)
    return withinChannelLimit(scope, new Channels(table, scope).tryIdOfWebsite(channelIdentifier, scope, author));
  return parent?.channelId ?? null;
}

/** The customer, and the writes that store it, for the transaction of the conversation. */
async function customerOf(
  table: Table,
  scope: WorkspaceScope,
  author: EventAuthor,
  { customerId, customer }: OpenConversation,
  parent: Conversation | undefined,
): Promise<{
  readonly customerId: string | null;
  readonly writes?: Writes | undefined;
  readonly isNew?: boolean | undefined;
}> {
  const storedId = parent?.customerId ?? customerId;
  if (storedId !== undefined || !customer) return { customerId: storedId ?? null };
  const prepared = await new Customers(table, scope).findOrPrepare(customer, author);
  return { ...prepared, customerId: prepared?.customer.id ?? null };
}
