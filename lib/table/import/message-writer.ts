import type { Message } from '#lib/domain/messaging/message.ts';
import { keys } from '../keys.ts';
import { namedFileItems } from '../messaging/conversation-files.ts';
import { recordOf } from '../record-of.ts';
import type { Item, Key } from '../schema.ts';
import type { Table } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';
import { withTimes } from '../writer/time-stamps.ts';
import type { ConcurrentEdits, WriterOptions } from './writer-options.ts';

export type ImportedMessage = Omit<Message, 'createdAt'> & { readonly createdAt?: string | undefined };

interface Pointer {
  readonly conversationId: string;
  readonly createdAt: string;
}

/** A new or different message, with its new pointer and its former item if it moves. */
interface MessageChange {
  readonly item: Item;
  readonly pointer: Item | undefined;
  readonly former: Key | undefined;
  /** The items of its files. */
  readonly files: readonly Item[];
  /** The stored message. */
  readonly before: Message | undefined;
  /** Its conversation, and the former one. */
  readonly conversationIds: readonly string[];
}

/** Messages whose conversations are marked, before the writes. */
interface Announced {
  announce(conversationIds: Iterable<string>): Promise<void>;
}

/** Writes messages in the list of their conversation, and a pointer to each under its id (M1). */
export class MessageWriter {
  readonly #table: Table;
  readonly #workspaceId: string;
  readonly #importedAt: string;
  readonly #concurrentEdits: ConcurrentEdits;
  readonly #conversations: Announced;
  readonly #ids = new Set<string>();
  /** Keys of the files that the document's messages name. */
  readonly #named = new Set<string>();

  constructor({ table, workspace, importedAt, concurrentEdits }: WriterOptions, conversations: Announced) {
    this.#table = table;
    this.#workspaceId = workspace.id;
    this.#importedAt = importedAt;
    this.#concurrentEdits = concurrentEdits;
    this.#conversations = conversations;
  }

  /** @returns the number of new or different ones */
  async write(messages: readonly ImportedMessage[]): Promise<number> {
    const reads = this.#table.uncached();
    const changes = await Promise.all(
      messages.map(async (message) => {
        this.#ids.add(message.id);
        for (const item of namedFileItems(this.#workspaceId, message)) this.#named.add(addressOf(item));
        const pointer = (await reads.get(this.#pointerKey(message.id))) as (Item & Pointer) | undefined;
        const stored = pointer && (await reads.get(this.#key(pointer, message.id)));
        return this.#changeOf(message, pointer, stored);
      }),
    );
    const changed = changes.filter((change) => change !== undefined);
    const moved = changed.filter(({ former }) => former);
    const others = changed.filter(({ former }) => !former);
    await this.#conversations.announce(changed.flatMap(({ conversationIds }) => conversationIds));
    // Before the messages: if the import stops in between, the next one finds the same messages changed.
    await this.#dropFiles(changed);
    await this.#table.write(changed.flatMap(({ files }) => files.map((put) => ({ put }))));
    // Pointers first: if the import stops in between, the next one finds the message missing. The pointer has its sort
    // key.
    await this.#table.write(others.flatMap(({ pointer }) => (pointer ? [{ put: pointer }] : [])));
    await this.#table.write(others.map(({ item }) => ({ put: item })));
    await Promise.all(moved.map((change) => this.#move(change)));
    return changed.length;
  }

  async finish(prune: boolean): Promise<number> {
    if (!prune) return 0;
    const gone: (Item & Pointer)[] = [];
    for await (const item of this.#table.query({ pk: keys.records(this.#workspaceId, 'message') })) {
      if (this.#ids.has(item.sk) || this.#concurrentEdits.keeps('message', item, { id: item.sk })) continue;
      gone.push(item as Item & Pointer);
    }
    await this.#conversations.announce(gone.map(({ conversationId }) => conversationId));
    await this.#table.write(gone.map((pointer) => ({ remove: this.#key(pointer, pointer.sk) })));
    await this.#table.write(gone.map((pointer) => ({ remove: pointer })));
    for (const id of new Set(gone.map(({ conversationId }) => conversationId))) await this.#pruneFiles(id);
    return gone.length;
  }

  /**
   * Removes the items of files that changed messages no longer name, unless another message of the conversation names
   * them.
   */
  async #dropFiles(changed: readonly MessageChange[]): Promise<void> {
    const kept = new Set(changed.flatMap(({ files }) => files.map(addressOf)));
    const left = ({ before }: MessageChange) =>
      (before ? namedFileItems(this.#workspaceId, before) : []).filter((item) => !kept.has(addressOf(item)));
    const leaving = changed.filter((change) => left(change).length > 0);
    const changedIds = new Set(changed.map(({ before }) => before?.id));
    for (const id of new Set(leaving.map(({ before }) => before?.conversationId ?? ''))) {
      for await (const item of this.#table.query({ pk: keys.messages(this.#workspaceId, id) })) {
        const message = recordOf<Message>(item);
        if (changedIds.has(message.id)) continue;
        for (const file of namedFileItems(this.#workspaceId, message)) kept.add(addressOf(file));
      }
    }
    const removed = new Map(leaving.flatMap(left).map((item) => [addressOf(item), item]));
    await this.#table.write([...removed.values()].map((remove) => ({ remove })));
  }

  /** Removes the items of files that no message names any more: visitors may download the files that messages name. */
  async #pruneFiles(conversationId: string): Promise<void> {
    const range = keys.namedFiles(this.#workspaceId, conversationId);
    const items = await Array.fromAsync(this.#table.query(range));
    await this.#table.write(items.filter((item) => !this.#named.has(addressOf(item))).map((remove) => ({ remove })));
  }

  #changeOf(
    message: ImportedMessage,
    before: Pointer | undefined,
    stored: Item | undefined,
  ): MessageChange | undefined {
    const stamped = withTimes(message, before, this.#importedAt);
    const { createdAt = '' } = stamped;
    const record = JSON.stringify(stamped);
    if (stored?.['record'] === record) return undefined;
    const { conversationId, id } = message;
    const stays = before?.conversationId === conversationId;
    return {
      item: { ...this.#key({ conversationId, createdAt }, id), record },
      pointer: stays ? undefined : { ...this.#pointerKey(id), conversationId, createdAt },
      former: before && !stays ? this.#key(before, id) : undefined,
      files: namedFileItems(this.#workspaceId, stamped as Message),
      before: stored && recordOf<Message>(stored),
      conversationIds: before ? [before.conversationId, conversationId] : [conversationId],
    };
  }

  /** Moves a message in one transaction, so that readers find it in one of the two conversations. */
  #move({ item, pointer, former }: MessageChange): Promise<void> {
    return repeatTransaction(this.#table, {
      message: { Put: { Item: item } },
      pointer: { Put: { Item: pointer } },
      former: { Delete: { Key: former } },
    });
  }

  #pointerKey = (id: string) => keys.record(this.#workspaceId, 'message', id);

  #key = ({ conversationId, createdAt }: Pointer, id: string) =>
    keys.message(this.#workspaceId, conversationId, createdAt, id);
}

const addressOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;
