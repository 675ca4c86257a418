import { isRecordId } from '#lib/domain/identifier.ts';
import type { Message } from '#lib/domain/message.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { editedNow } from './edited-at.ts';
import { withTimes } from './import/times.ts';
import { keys } from './keys.ts';
import { recordOf } from './record-of.ts';
import type { Item } from './schema.ts';
import type { Table, TransactItem } from './table.ts';

const perPage = 20;

/** The messages of the conversations of a workspace. Access pattern M1. */
export class Messages {
  readonly #table: Table;
  readonly #workspaceId: string;

  constructor(table: Table, { workspaceId }: WorkspaceScope) {
    this.#table = table;
    this.#workspaceId = workspaceId;
  }

  /** Starts the look-up of where a message is, so that it travels with other reads. */
  prefetchPlace(id: string): void {
    if (isRecordId(id)) this.#table.get(this.#placeKey(id)).catch(() => undefined);
  }

  /** The newest messages of a conversation, newest first, read once in a request. */
  async newest(conversationId: string, atMost: number): Promise<Message[]> {
    if (!isRecordId(conversationId)) return [];
    const pk = keys.messages(this.#workspaceId, conversationId);
    return (await this.#table.range({ pk, descending: true, atMost })).map(recordOf<Message>);
  }

  /** A message of a conversation; one of another conversation is not found. */
  async find(conversationId: string, id: string): Promise<Message | undefined> {
    const place = isRecordId(id) ? await this.#table.get(this.#placeKey(id)) : undefined;
    if (place?.['conversationId'] !== conversationId) return undefined;
    const item = await this.#table.get(keys.message(this.#workspaceId, conversationId, String(place['createdAt']), id));
    return item && recordOf<Message>(item);
  }

  /** Newest first, from a message on or from the end; whoever stops early reads little more. */
  async *backwards(conversationId: string, from?: Message): AsyncGenerator<Message> {
    if (!isRecordId(conversationId)) return;
    const pk = keys.messages(this.#workspaceId, conversationId);
    const to = from && keys.message(this.#workspaceId, conversationId, from.createdAt, from.id).sk;
    for await (const item of this.#table.query({ pk, to, descending: true, perPage })) yield recordOf<Message>(item);
  }

  /** Oldest first, all that are not older than a message. */
  async *since({ conversationId, createdAt }: Message): AsyncGenerator<Message> {
    const pk = keys.messages(this.#workspaceId, conversationId);
    for await (const item of this.#table.query({ pk, from: createdAt })) yield recordOf<Message>(item);
  }

  /** What stores a new message, where its conversation lists it and where it is found by its id. */
  creation(message: Message): TransactItem[] {
    const { id, conversationId, createdAt } = message;
    return [
      this.#putIfNew({
        ...keys.message(this.#workspaceId, conversationId, createdAt, id),
        record: JSON.stringify(withTimes('message', message, undefined, createdAt)),
      }),
      this.#putIfNew({ ...this.#placeKey(id), conversationId, createdAt, ...editedNow() }),
    ];
  }

  #putIfNew = (item: Item): TransactItem => ({
    Put: { TableName: this.#table.name, Item: item, ConditionExpression: 'attribute_not_exists(pk)' },
  });

  #placeKey = (id: string) => keys.record(this.#workspaceId, 'message', id);
}
