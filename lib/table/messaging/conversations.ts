import { randomUUID } from 'node:crypto';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Conversation, CustomerChannel } from '#lib/domain/messaging/conversation.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Table, TransactItem, Writes } from '../table.ts';
import { applyChange } from '../writer/apply-change.ts';
import { type AppliedChange, ChangeRefused } from '../writer/change.ts';
import { etagOfText } from '../writer/record-items.ts';
import { conversationKeys } from './conversation-keys.ts';
import { type ConversationState, conversationIn, type Thread, threadIn } from './conversation-state.ts';

/** Longer than any request needs between the search for a conversation and its write. */
const keptSeconds = 3_600;

/** A conversation with the summary of its messages. */
export interface StoredConversation {
  readonly conversation: Conversation;
  /** Undefined if the messages must be read instead. */
  readonly thread: Thread | undefined;
  /** Changes with every write of the conversation or its messages. */
  readonly revision: string | undefined;
}

/** A row in the list of conversations. */
export interface ConversationRow extends ConversationState {
  /** Its sort key in the list. */
  readonly sortKey: string;
}

/** The strong tag of a conversation, without quotes. */
export const conversationEtag = (conversation: Conversation): string => etagOfText(JSON.stringify(conversation));

/** The conversations of a workspace. Access patterns W2, M6, M7 and M8. */
export class Conversations {
  readonly #table: Table;
  readonly #scope: WorkspaceScope;

  constructor(table: Table, scope: WorkspaceScope) {
    this.#table = table;
    this.#scope = scope;
  }

  async find(id: string): Promise<Conversation | undefined> {
    return (await this.read(id))?.conversation;
  }

  /** A conversation with the state of its messages, in one small read. */
  async read(id: string): Promise<StoredConversation | undefined> {
    const item = isRecordId(id) ? await this.#table.get(this.#key(id)) : undefined;
    if (!item) return undefined;
    const thread = threadIn(item);
    return {
      conversation: conversationIn(item),
      thread: thread?.import === undefined ? thread : undefined,
      revision: item['revision'] as string | undefined,
    };
  }

  /**
   * Changes a conversation, and tries again after concurrent changes.
   * @param change may be called again with the new state; its errors are passed on
   * @param extra further writes of the transaction
   * @returns the new state; undefined if the conversation does not exist
   * @throws Unavailable
   */
  async change(
    id: string,
    change: (stored: Conversation) => Conversation,
    extra?: (applied: AppliedChange) => Writes,
  ): Promise<Conversation | undefined> {
    if (!isRecordId(id)) return undefined;
    const decide = async ({ record }: { readonly record: object | undefined }) => {
      if (!record) throw new ChangeRefused('missing');
      const { updatedAt, ...changed } = change(record as Conversation);
      return changed;
    };
    const context = { now: new Date().toISOString(), ...(extra && { extra }) };
    try {
      const { after } = await applyChange(this.#table, this.#scope, { kind: 'conversation', id, decide }, context);
      return after as Conversation;
    } catch (error) {
      if (error instanceof ChangeRefused && error.reason === 'missing') return undefined;
      throw error;
    }
  }

  /**
   * All conversations, newest activity first. A caller that stops early reads little more.
   * @param after the `sortKey` of the last conversation of the previous page
   * @param perPage the number of conversations per read
   */
  async *byActivity(after: string | undefined, perPage: number): AsyncGenerator<ConversationRow> {
    const pk = conversationKeys.rows(this.#scope.workspaceId);
    // The bounds of a range are inclusive.
    for await (const row of this.#table.query({ pk, to: after, descending: true, perPage: perPage + 1 })) {
      if (row.sk === after) continue;
      yield { conversation: conversationIn(row), thread: threadIn(row) ?? { ofCustomer: 0 }, sortKey: row.sk };
    }
  }

  /** The newest main conversation of a customer on a channel that is not resolved. */
  async findOpen(on: CustomerChannel): Promise<Conversation | undefined> {
    const range = { pk: conversationKeys.allOpen(this.#scope.workspaceId, on), descending: true, atMost: 1 };
    for await (const { id } of this.#table.uncached().query(range)) return this.find(String(id));
    return undefined;
  }

  /**
   * The open main conversation of a customer on a channel, which is created if there is none. Concurrent calls create
   * one: the others fail (`isOpenedByOther`).
   * @param extra further writes of the transaction that creates it
   * @throws ConditionFailed, Unavailable
   */
  async findOrCreateOpen(
    on: CustomerChannel,
    create: () => NewConversation,
    extra?: (made: Conversation) => Writes,
  ): Promise<{ readonly conversation: Conversation; readonly isNew: boolean }> {
    const stored = await this.findOpen(on);
    if (stored) return { conversation: stored, isNew: false };
    // The condition of the mark fails if a conversation is created after it was read.
    const mark = await this.#table.uncached().get(this.#changeKey(on));
    const opened = await this.findOpen(on);
    if (opened) return { conversation: opened, isNew: false };
    const made = await this.create(create(), (made) => ({
      ...extra?.(made),
      mark: this.#mark(on, made.id, mark?.['change']),
    }));
    return { conversation: made, isNew: true };
  }

  /** @throws ConditionFailed of a write in `extra`, Unavailable */
  async create(conversation: NewConversation, extra?: (made: Conversation) => Writes): Promise<Conversation> {
    const change = {
      kind: 'conversation',
      id: conversation.id,
      record: conversation,
      condition: { is: 'new' },
    } as const;
    try {
      const { after } = await applyChange(this.#table, this.#scope, change, {
        now: new Date().toISOString(),
        extra: (applied) => extra?.(applied.after as Conversation) ?? {},
      });
      return after as Conversation;
    } catch (error) {
      // The client repeats a transaction whose reply was lost. The retry then finds its own writes.
      const made = error instanceof ConditionFailed && (await this.#withUncachedReads().find(conversation.id));
      if (made) return made;
      throw error;
    }
  }

  /** Creates the first conversation of a new customer, whom the same transaction creates. It throws like `create`. */
  createFirst(
    on: CustomerChannel,
    conversation: NewConversation,
    extra: (made: Conversation) => Writes,
  ): Promise<Conversation> {
    return this.create(conversation, (made) => ({ ...extra(made), mark: this.#mark(on, made.id, undefined) }));
  }

  #withUncachedReads = () => new Conversations(this.#table.uncached(), this.#scope);

  #mark = (on: CustomerChannel, change: string, before: unknown): TransactItem => ({
    Put: {
      Item: { ...this.#changeKey(on), change, ttl: Math.ceil(Date.now() / 1_000) + keptSeconds },
      ...isStill('change', before),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  });

  #changeKey = (on: CustomerChannel) => conversationKeys.openChange(this.#scope.workspaceId, on);

  #key = (id: string) => keys.record(this.#scope.workspaceId, 'conversation', id);
}

/** Whether another call has created a conversation of the customer on the channel. */
export const isOpenedByOther = (error: unknown): boolean => error instanceof ConditionFailed && error.write === 'mark';

/** A conversation before it has its time stamps. */
export type NewConversation = Omit<Conversation, 'createdAt' | 'updatedAt'>;

export const newConversationId = (): string => `conv_${randomUUID().replaceAll('-', '')}`;
