import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import type { Conversation, Message } from '#lib/domain/messaging/conversation.ts';
import type { Customer } from '#lib/domain/messaging/customer.ts';
import { referrersTo, responsesHolding } from '#lib/table/erasing.ts';
import { Conversations } from '#lib/table/messaging/conversations.ts';
import { messagingKeys } from '#lib/table/messaging/keys.ts';
import { keptRecordOf } from '#lib/table/retention.ts';
import { findRecord, recordOf, type Table, type WorkspaceScope } from '#lib/table/table.ts';

/** What a workspace holds of a person (lib/spec/additions.md section 2, "Erasing a person"). */
export interface Person {
  readonly customer: Customer;
  /** Main conversations, each with its sub-conversations behind it. */
  readonly conversations: readonly Conversation[];
  readonly messages: readonly Message[];
  /** Those that the messages name, or that were uploaded in the conversations. */
  readonly files: readonly Attachment[];
  /** Those in which an answer is the e-mail address of the customer. */
  readonly responses: readonly FormResponse[];
}

/** @returns undefined if the customer does not exist */
export async function readPerson(table: Table, scope: WorkspaceScope, id: string): Promise<Person | undefined> {
  const customer = await findRecord<Customer>(table, scope, 'customer', id);
  if (!customer) return undefined;
  const conversations = await conversationsOf(table, scope, id);
  const messages = await Promise.all(conversations.map((each) => messagesOf(table, scope, each)));
  const uploaded = await Promise.all(conversations.map((each) => uploadedIn(table, scope, each)));
  const named = messages.flat().flatMap(({ attachments }) => attachments);
  const files = [...new Set([...named, ...uploaded.flat()])].map((file) =>
    findRecord<Attachment>(table, scope, 'attachment', file),
  );
  const responses =
    customer.email === null ? [] : await Array.fromAsync(responsesHolding(table, scope, customer.email));
  return {
    customer,
    conversations,
    messages: messages.flat(),
    files: (await Promise.all(files)).filter((file) => file !== undefined),
    responses: responses.flatMap((item) => keptRecordOf<FormResponse>('formResponse', item) ?? []),
  };
}

async function conversationsOf(table: Table, scope: WorkspaceScope, customerId: string): Promise<Conversation[]> {
  const stored = new Conversations(table, scope);
  const found = new Map<string, Conversation>();
  for (const id of await referrersTo(table, scope.workspaceId, 'customer', customerId)) {
    const main = await stored.find(id);
    if (main?.customerId !== customerId) continue;
    found.set(id, main);
    const subs = await referrersTo(table, scope.workspaceId, 'main', id);
    const read = await Promise.all(subs.map((sub) => stored.find(sub)));
    for (const sub of read) if (sub?.parentId === id) found.set(sub.id, sub);
  }
  return [...found.values()];
}

async function messagesOf(table: Table, { workspaceId }: WorkspaceScope, { id }: Conversation): Promise<Message[]> {
  return (await table.range({ pk: messagingKeys.messages(workspaceId, id) })).map((item) => recordOf<Message>(item));
}

async function uploadedIn(table: Table, { workspaceId }: WorkspaceScope, { id }: Conversation): Promise<string[]> {
  const range = { pk: messagingKeys.ofVisitors(workspaceId, id), from: 'uploaded#', to: 'uploaded$' };
  return (await table.range(range)).map(({ sk }) => sk.slice('uploaded#'.length));
}

/** The files that another conversation names, too. */
export async function filesOfOthers(
  table: Table,
  { workspaceId }: WorkspaceScope,
  { files, conversations }: Person,
): Promise<Attachment[]> {
  const own = new Set(conversations.map(({ id }) => id));
  const isOfOthers = async ({ id }: Attachment) => {
    const names = await table.range({ pk: messagingKeys.namesOfFile(workspaceId, id) });
    return names.some(({ sk }) => !own.has(sk));
  };
  const found = await Promise.all(files.map(isOfOthers));
  return files.filter((_, index) => found[index]);
}
