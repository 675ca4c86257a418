import { randomUUID } from 'node:crypto';
import type { Conversation, CustomerChannel } from '#lib/domain/messaging/conversation.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { ConditionFailed } from '../errors.ts';
import { findRecord, type Table, type Writes } from '../table.ts';
import { applyChange, ChangeRefused, changeSteps, type PreparedChange } from '../writer/apply-change.ts';
import type { AppliedChange } from '../writer/change.ts';
import { conversationRules, parentsOf } from '../writer/conversation-rules.ts';
import { changeMark } from '../writer/record-items.ts';
import type { RepeatedWrite } from '../writer/repeat-write.ts';
import { Conversations } from './conversations.ts';
import { messagingKeys } from './keys.ts';

/** Further writes of the transaction that creates a conversation. */
type AdditionalWrites = (made: Conversation) => Writes;
/** The steps that create a conversation. They prepare it once: their caller finds its channel and customer again. */
export type Creation = RepeatedWrite<PreparedChange, AppliedChange>;

/** The conversations of a workspace for calls that change or open them. */
export class ConversationChanges extends Conversations {
  /**
   * Changes a conversation, and tries again after concurrent changes.
   * @param change may be called again with the new state; its errors are passed on
   * @param additionalWrites further writes of the transaction
   * @returns the new state; undefined if the conversation does not exist
   * @throws ChangeRefused `orphaned` if its new channel or customer has been removed; Unavailable
   */
  async change(
    id: string,
    change: (stored: Conversation) => Conversation,
    additionalWrites?: (applied: AppliedChange) => Writes,
  ): Promise<Conversation | undefined> {
    if (!isRecordId(id)) return undefined;
    let isDecided = false;
    const decide = async ({ record }: { readonly record: object | undefined }, table: Table) => {
      if (!record) throw new ChangeRefused('missing');
      const before = record as Conversation;
      const after = change(before);
      if (isDecided && (await this.#isOrphaned(table, before, after))) throw new ChangeRefused('orphaned');
      isDecided = true;
      return { ...after, updatedAt: undefined };
    };
    const context = { now: new Date().toISOString(), ...(additionalWrites && { additionalWrites }) };
    const conversation = { kind: 'conversation', id, decide } as const;
    try {
      return (await applyChange(conversationRules, this.table, this, conversation, context)).after as Conversation;
    } catch (error) {
      if (error instanceof ChangeRefused && error.reason === 'missing') return undefined;
      throw error;
    }
  }

  /** Whether the channel or the customer that a conversation would get is gone. */
  async #isOrphaned(table: Table, before: Conversation, after: Conversation): Promise<boolean> {
    const found = parentsOf(before, after).map(({ kind, id }) => findRecord(table, this, kind, id));
    return (await Promise.all(found)).includes(undefined);
  }

  /**
   * The open main conversation of a customer on a channel, or the steps that create one. Concurrent calls create one:
   * the others fail (`isOpenedByOther`).
   * @param additionalWrites further writes of the transaction that creates it
   * @throws Unavailable
   */
  async findOrOpen(
    on: CustomerChannel,
    create: () => NewConversation,
    additionalWrites: AdditionalWrites,
  ): Promise<Conversation | Creation> {
    const stored = await this.findOpen(on);
    if (stored) return stored;
    // The condition of the mark fails if a conversation is created after it was read.
    const mark = await this.table.uncached().get(this.#changeKey(on));
    return (await this.findOpen(on)) ?? this.#opening(on, create(), mark?.['change'], additionalWrites);
  }

  /** Opens the first conversation of a new customer, whom the same transaction creates. */
  openFirst = (on: CustomerChannel, conversation: NewConversation, additionalWrites: AdditionalWrites): Creation =>
    this.#opening(on, conversation, undefined, additionalWrites);

  /** The steps that create a conversation. They throw ConditionFailed of an additional write, and Unavailable. */
  creation(conversation: NewConversation, additionalWrites: AdditionalWrites): Creation {
    const decide = async () => ({ ...conversation, createdAt: undefined, updatedAt: undefined });
    const change = { kind: 'conversation', id: conversation.id, decide } as const;
    return changeSteps(conversationRules, this.table, this, change, {
      now: new Date().toISOString(),
      additionalWrites: (applied) => additionalWrites(applied.after as Conversation),
    });
  }

  #opening = (
    on: CustomerChannel,
    conversation: NewConversation,
    before: unknown,
    additionalWrites: AdditionalWrites,
  ): Creation =>
    this.creation(conversation, (made) => ({
      ...additionalWrites(made),
      mark: changeMark(this.#changeKey(on), isStill('change', before)),
    }));

  #changeKey = (on: CustomerChannel) => messagingKeys.openConversationChange(this.workspaceId, on);
}

/** Whether another call has created a conversation of the customer on the channel. */
export const isOpenedByOther = (error: unknown): boolean => error instanceof ConditionFailed && error.write === 'mark';

/** A conversation before it has its time stamps. */
export type NewConversation = Omit<Conversation, 'createdAt' | 'updatedAt'>;

export const newConversationId = (): string => `conv_${randomUUID().replaceAll('-', '')}`;
