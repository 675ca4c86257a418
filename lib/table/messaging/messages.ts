import type { Message } from '#lib/domain/messaging/conversation.ts';
import { started } from '#lib/domain/started.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { isNew } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import { editedNow } from '../stored-item.ts';
import { type Item, type Key, type Range, Repository, recordOf, type TransactItem } from '../table.ts';
import { withTimes } from '../writer/time-stamps.ts';
import type { Thread } from './conversations.ts';
import { messagingKeys } from './keys.ts';

const perPage = 20;

interface PageOptions {
  readonly limit: number;
  /** The newest message that the page may contain. */
  readonly upTo: Pick<Message, 'id' | 'createdAt'> | undefined;
}

/** A page of messages, oldest first. */
export interface MessagesPage {
  readonly messages: readonly Message[];
  /** Whether there are more in the direction of the page. */
  readonly hasMore: boolean;
}

/** The messages of the conversations of a workspace. Access pattern M1. */
export class Messages extends Repository {
  /** Starts the read of a message's pointer, so that it shares a round trip with others. */
  prefetchPointer(id: string): void {
    if (isRecordId(id)) started(this.table.get(this.#pointerKey(id)));
  }

  /** The newest messages of a conversation, newest first, cached for the request. */
  async newest(conversationId: string, atMost: number): Promise<Message[]> {
    if (!isRecordId(conversationId)) return [];
    const range = { pk: this.#listOf(conversationId), descending: true, atMost };
    return (await this.table.range(range)).map(recordOf<Message>);
  }

  /** A message of a conversation; one of another conversation is not found. */
  async find(conversationId: string, id: string): Promise<Message | undefined> {
    const key = await this.#keyOf(conversationId, id);
    const item = key && (await this.table.get(key));
    return item && recordOf<Message>(item);
  }

  /** The sort key of a message in its conversation; undefined for a message of another one. */
  async sortKeyOf(conversationId: string, id: string): Promise<string | undefined> {
    return (await this.#keyOf(conversationId, id))?.sk;
  }

  async #keyOf(conversationId: string, id: string): Promise<Key | undefined> {
    const pointer = isRecordId(id) ? await this.table.get(this.#pointerKey(id)) : undefined;
    if (pointer?.['conversationId'] !== conversationId) return undefined;
    return messagingKeys.message(this.workspaceId, conversationId, String(pointer['createdAt']), id);
  }

  /** The messages after a sort key, oldest first. */
  async pageAfter(conversationId: string, sortKey: string, { limit, upTo }: PageOptions): Promise<MessagesPage> {
    const to = upTo && this.#keyIn(conversationId, upTo).sk;
    if (to !== undefined && to <= sortKey) return { messages: [], hasMore: false };
    return this.#page({ pk: this.#listOf(conversationId), from: sortKey, to }, sortKey, limit);
  }

  /** The messages before a sort key, or the newest without one, oldest first. */
  async pageBefore(conversationId: string, sortKey: string | undefined, options: PageOptions): Promise<MessagesPage> {
    const { limit, upTo } = options;
    const to = sortKey ?? (upTo && this.#keyIn(conversationId, upTo).sk);
    const page = await this.#page({ pk: this.#listOf(conversationId), to, descending: true }, sortKey, limit);
    return { ...page, messages: page.messages.toReversed() };
  }

  /** The bounds of a range are inclusive, but a page excludes its bound. */
  async #page(range: Range, sortKey: string | undefined, limit: number): Promise<MessagesPage> {
    const items = await this.table.all({ ...range, atMost: limit + 2 });
    const found = items.filter(({ sk }) => sk !== sortKey).map(recordOf<Message>);
    return { messages: found.slice(0, limit), hasMore: found.length > limit };
  }

  /**
   * The number of customers' messages after a sort key. It reads on to the first message with a valid number, which is
   * nearly always the one with this key: a visitor can write more than one request can read.
   */
  async countOfCustomer(conversationId: string, sortKey: string, { ofCustomer, numbering }: Thread): Promise<number> {
    const range = { pk: this.#listOf(conversationId), from: sortKey };
    const isNumbered = (item: Item) => numbering !== undefined && item['numbering'] === numbering;
    const first = await this.table.all({ ...range, atMost: 1 });
    let count = 0;
    for await (const item of first.some(isNumbered) ? first : this.table.query(range)) {
      if (item.sk !== sortKey && recordOf<Message>(item).senderType === 'customer') count++;
      // The message can be newer than the thread.
      if (isNumbered(item)) return Math.max(0, count + ofCustomer - Number(item['ofCustomer']));
    }
    return count;
  }

  /** Newest first, from a message or from the end. A caller that stops early reads little more. */
  async *backwards(conversationId: string, from?: Message): AsyncGenerator<Message> {
    if (!isRecordId(conversationId)) return;
    const pk = this.#listOf(conversationId);
    const to = from && this.#keyIn(conversationId, from).sk;
    for await (const item of this.table.query({ pk, to, descending: true, perPage })) yield recordOf<Message>(item);
  }

  /** Oldest first, from a message on, inclusive. */
  async *since({ conversationId, createdAt }: Message): AsyncGenerator<Message> {
    const range = { pk: this.#listOf(conversationId), from: createdAt };
    for await (const item of this.table.query(range)) yield recordOf<Message>(item);
  }

  /**
   * The writes of a new message: in the list of its conversation, with the number of customers' messages up to it, and a
   * pointer under its id.
   * @param thread the thread with the message
   */
  creation(message: Message, { ofCustomer, numbering }: Thread): TransactItem[] {
    const { id, conversationId, createdAt } = message;
    return [
      this.#putIfNew({
        ...this.#keyIn(conversationId, message),
        record: JSON.stringify(withTimes(message, undefined, createdAt)),
        numbering,
        ofCustomer,
      }),
      this.#putIfNew({ ...this.#pointerKey(id), conversationId, createdAt, ...editedNow() }),
    ];
  }

  #putIfNew = (item: Item): TransactItem => ({
    Put: { Item: item, ...isNew },
  });

  #listOf = (conversationId: string): string => messagingKeys.messages(this.workspaceId, conversationId);

  #keyIn = (conversationId: string, { createdAt, id }: Pick<Message, 'id' | 'createdAt'>): Key =>
    messagingKeys.message(this.workspaceId, conversationId, createdAt, id);

  #pointerKey = (id: string) => keys.record(this.workspaceId, 'message', id);
}
