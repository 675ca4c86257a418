import type { Conversation, CustomerChannel } from '#lib/domain/messaging/conversation.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { keys } from '../keys.ts';
import { keptSince } from '../retention.ts';
import { etagOfText } from '../stored-item.ts';
import { Repository } from '../table.ts';
import { type ConversationState, keptStateIn, stateIn } from './conversation-state.ts';
import { messagingKeys } from './keys.ts';

/** A conversation with the summary of its messages. */
export interface StoredConversation extends ConversationState {
  /** Changes with every write of the conversation or its messages. */
  readonly revision: string;
}

export interface ConversationRow extends ConversationState {
  readonly sortKey: string;
}

/** The strong tag of a conversation, without quotes. */
export const conversationEtag = (conversation: Conversation): string => etagOfText(JSON.stringify(conversation));

/** The conversations of a workspace. Access patterns W2, M6, M7 and M8; conversation-changes.ts writes them. */
export class Conversations extends Repository {
  async find(id: string): Promise<Conversation | undefined> {
    return (await this.read(id))?.conversation;
  }

  /** A conversation with the state of its messages, in one small read. */
  async read(id: string): Promise<StoredConversation | undefined> {
    const item = isRecordId(id) ? await this.table.get(keys.record(this.workspaceId, 'conversation', id)) : undefined;
    const state = keptStateIn(item);
    return state && { ...state, revision: String(item?.['revision']) };
  }

  /**
   * All conversations, newest activity first. A caller that stops early reads little more.
   * @param after the `sortKey` of the last conversation of the previous page
   * @param perPage the number of conversations per read
   */
  async *byActivity(after: string | undefined, perPage: number): AsyncGenerator<ConversationRow> {
    const pk = messagingKeys.conversationRows(this.workspaceId);
    const from = keptSince('conversation');
    if (from !== undefined && after !== undefined && after < from) return;
    // The bounds of a range are inclusive.
    for await (const row of this.table.query({ pk, from, to: after, descending: true, perPage: perPage + 1 })) {
      if (row.sk === after) continue;
      yield { ...stateIn(row), sortKey: row.sk };
    }
  }

  /** The newest main conversation of a customer on a channel that is not resolved. */
  async findOpen(on: CustomerChannel): Promise<Conversation | undefined> {
    const range = { pk: messagingKeys.openConversations(this.workspaceId, on), descending: true, perPage: 1 };
    for await (const { id } of this.table.uncached().query(range)) {
      // The time of the newest one may be over before that of another.
      const conversation = await this.find(String(id));
      if (conversation) return conversation;
    }
    return undefined;
  }
}
