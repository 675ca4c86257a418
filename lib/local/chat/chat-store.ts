import * as z from 'zod/mini';
import type { Principal, WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Agent } from '#lib/domain/messaging/agent.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import type { Customer } from '#lib/domain/messaging/customer.ts';
import type { Message } from '#lib/domain/messaging/message.ts';
import { findPrincipal, hashOfSecret } from '#lib/table/access/api-keys.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { keys, type RecordKind } from '#lib/table/keys.ts';
import { appendMessage } from '#lib/table/messaging/append-message.ts';
import { Customers } from '#lib/table/messaging/customers.ts';
import { Messages } from '#lib/table/messaging/messages.ts';
import { recordOf } from '#lib/table/record-of.ts';
import { Table } from '#lib/table/table.ts';

const shownMax = { records: 100, messages: 50 } as const;
const permission = 'messaging:conversation:engage';

/** What a person types into the page, as a customer. */
export const ChatMessage = z.strictObject({
  conversationId: z.string(),
  text: z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(10_000),
    z.refine((text) => text.isWellFormed()),
  ),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** Reads of a workspace that the page needs, and the one write. */
export class ChatStore {
  readonly #options: ConstructorParameters<typeof Table>[0];

  constructor(tableName: string) {
    this.#options = { client: tableClient(), name: tableName };
  }

  /** Whose key it is, if it may do what the page does. */
  async open(secret: string): Promise<Principal | undefined> {
    const principal = secret === '' ? undefined : await findPrincipal(this.#table(), hashOfSecret(secret));
    return principal?.permissions.has(permission) && principal.member?.permissions.has(permission)
      ? principal
      : undefined;
  }

  /** The agents, and the conversations with their latest messages, oldest first. */
  async workspace(scope: WorkspaceScope) {
    const table = this.#table();
    const [agents, conversations] = await Promise.all([
      this.#records<Agent>(scope, 'agent'),
      this.#records<Conversation>(scope, 'conversation'),
    ]);
    return {
      agents: agents
        .filter(({ enabled }) => enabled)
        .map(({ id, name, model }) => ({ id, name, model: model ?? null })),
      conversations: await Promise.all(
        conversations.map(async ({ id, kind, customerId, channelId }) => ({
          id,
          kind,
          channelId,
          customer: customerId && ((await new Customers(table, scope).find(customerId)) as Customer | undefined)?.name,
          messages: await this.#messages(scope, id),
        })),
      ),
    };
  }

  /** Adds a message of the conversation's customer, behind all others. @returns nothing without the conversation */
  async add(scope: WorkspaceScope, { conversationId, text }: ChatMessage): Promise<Message | undefined> {
    const appended = await appendMessage(this.#table(), scope, conversationId, ({ customerId, channelId }) => ({
      message: {
        senderType: 'customer',
        senderId: customerId ?? 'visitor',
        channelId,
        text,
        attachments: [],
      },
    }));
    return appended?.message;
  }

  async #messages(scope: WorkspaceScope, conversationId: string): Promise<Message[]> {
    const newest: Message[] = [];
    for await (const message of new Messages(this.#table(), scope).backwards(conversationId)) {
      newest.push(message);
      if (newest.length === shownMax.messages) break;
    }
    return newest.reverse();
  }

  async #records<R>({ workspaceId }: WorkspaceScope, kind: RecordKind): Promise<R[]> {
    const records: R[] = [];
    const range = { pk: keys.records(workspaceId, kind), perPage: shownMax.records };
    for await (const item of this.#table().query(range)) {
      records.push(recordOf<R>(item));
      if (records.length === shownMax.records) break;
    }
    return records;
  }

  #table = (): Table => new Table(this.#options);
}
