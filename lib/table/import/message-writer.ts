import { inGroups } from '#lib/domain/in-groups.ts';
import type { Message } from '#lib/domain/messaging/conversation.ts';
import { storedBytes } from '#lib/domain/stored-size.ts';
import { putAll, removeAll } from '../dynamodb/write-all.ts';
import { keys } from '../keys.ts';
import { namedFileItems } from '../messaging/conversation-files.ts';
import { messagingKeys } from '../messaging/keys.ts';
import { type ChangedMessage, summaryWrites } from '../messaging/summary-writes.ts';
import { conversationsOver } from '../stored-workspace.ts';
import { type Item, type Key, recordOf, type Table, type TransactItem, type Writes } from '../table.ts';
import { repeatWrite, tryChange } from '../writer/repeat-write.ts';
import { withTimes } from '../writer/time-stamps.ts';
import { PlainWriter, type WriterOptions } from './ruled-writer.ts';

type ImportedMessage = Omit<Message, 'createdAt'> & { readonly createdAt?: string | undefined };

interface Pointer {
  readonly conversationId: string;
  readonly createdAt: string;
}

/** A new, different or removed message, with its stored pointer. */
interface MessageChange extends ChangedMessage {
  readonly pointer: Pointer | undefined;
}

const messagesPerTransaction = 25;
const bytesPerTransaction = 2 * 1_048_576;
const conversationsAtOnce = 25;
const removedAtOnce = 100;

/**
 * Writes messages in the list of their conversation, and a pointer to each under its id (M1). The summary of the
 * conversation changes in the same transaction, so that lists always agree with the messages.
 */
export class MessageWriter extends PlainWriter {
  constructor(options: WriterOptions) {
    super(options, 'message');
  }

  /** @returns the number of new or different ones */
  async write(messages: readonly ImportedMessage[]): Promise<number> {
    const reads = this.table.uncached();
    const changes = await Promise.all(
      messages.map(async (message) => {
        this.ids.add(message.id);
        const pointer = (await reads.get(this.#pointerKey(message.id))) as (Item & Pointer) | undefined;
        const stored = pointer && (await reads.get(this.#key(pointer, message.id)));
        return this.#changeOf(message, pointer, stored);
      }),
    );
    const changed = changes.filter((change) => change !== undefined);
    // Before the messages: if the import stops in between, the next one finds the same messages changed.
    await this.#dropFiles(changed);
    // Several messages may name the same file.
    const files = new Map(changed.flatMap(this.#filesOf).map((item) => [addressOf(item), item]));
    await putAll(this.table, [...files.values()]);
    await this.#store(changed);
    return changed.length;
  }

  /** @returns the number of messages that readers could see, and that were removed because the document lacks them */
  async finish(prune: boolean): Promise<number> {
    if (!prune) return 0;
    const over = await conversationsOver(this.table, this.workspaceId);
    let removed = 0;
    for await (const some of inGroups(this.unnamed() as AsyncGenerator<Item & Pointer>, removedAtOnce)) {
      await this.#remove(some);
      removed += some.filter(({ conversationId }) => !over.has(conversationId)).length;
    }
    return removed;
  }

  async #remove(pointers: readonly (Item & Pointer)[]): Promise<void> {
    const reads = this.table.uncached();
    const changes = pointers.map(async (pointer) => {
      const stored = await reads.get(this.#key(pointer, pointer.sk));
      return { id: pointer.sk, before: stored && recordOf<Message>(stored), pointer, after: undefined };
    });
    const gone = await Promise.all(changes);
    await this.#dropFiles(gone);
    await this.#store(gone);
  }

  /** A message that moves changes two conversations, after those that stay. */
  async #store(changes: readonly MessageChange[]): Promise<void> {
    const staying = changes.filter((change) => conversationIdsOf(change).length === 1);
    const byConversation = Map.groupBy(staying, (change) => conversationIdsOf(change)[0]).values();
    for await (const conversations of inGroups(byConversation, conversationsAtOnce)) {
      await Promise.all(
        conversations.map(async (ofOne) => {
          for (const some of chunksOf(ofOne)) await this.#storeTogether(some);
        }),
      );
    }
    for (const change of changes) if (conversationIdsOf(change).length > 1) await this.#storeTogether([change]);
  }

  /** Writes some messages and the summaries of their conversations in one transaction. */
  async #storeTogether(changes: readonly MessageChange[]): Promise<void> {
    const ids = new Set(changes.flatMap(conversationIdsOf));
    const messages = changes.flatMap((change) => this.#writesOf(change));
    // The service may change a conversation between its read and its write.
    await repeatWrite<Writes | undefined, 'done'>(this.table, {
      prepare: async (tries) => {
        const reads = this.table.uncached();
        // The reply to an earlier try may have been lost.
        if (tries > 1 && (await this.#isStored(reads, changes[0]))) return undefined;
        const summaries = await Promise.all([...ids].map((id) => summaryWrites(reads, this.workspaceId, id, changes)));
        return Object.assign({ messages }, ...summaries) as Writes;
      },
      write: async (writes) => (writes && (await tryChange(this.table, writes))) ?? 'done',
      isPreparedEachTime: true,
    });
  }

  async #isStored(reads: Table, change: MessageChange | undefined): Promise<boolean> {
    const place = change?.after ?? change?.pointer;
    if (!change || !place) return true;
    const item = await reads.get(this.#key(place, change.id));
    return item?.['record'] === (change.after && JSON.stringify(change.after));
  }

  /** A pointer has the sort key of its message. */
  #writesOf({ id, pointer, after }: MessageChange): TransactItem[] {
    const former = pointer && after?.conversationId !== pointer.conversationId ? pointer : undefined;
    return [
      ...(after ? [{ Put: { Item: { ...this.#key(after, id), record: JSON.stringify(after) } } }] : []),
      ...(former ? [{ Delete: { Key: this.#key(former, id) } }] : []),
      ...(after && (former || !pointer) ? [{ Put: { Item: this.#pointerTo(after) } }] : []),
      ...(after ? [] : [{ Delete: { Key: this.#pointerKey(id) } }]),
    ];
  }

  #pointerTo = ({ id, conversationId, createdAt }: Message): Item => ({
    ...this.#pointerKey(id),
    conversationId,
    createdAt,
  });

  /**
   * Removes the items of files that changed messages no longer name, unless another message of the conversation names
   * them: visitors may download the files that messages name.
   */
  async #dropFiles(changed: readonly MessageChange[]): Promise<void> {
    const kept = new Set(changed.flatMap((change) => this.#filesOf(change)).map(addressOf));
    const left = ({ before }: MessageChange) =>
      (before ? namedFileItems(this.workspaceId, before) : []).filter((item) => !kept.has(addressOf(item)));
    const leaving = changed.filter((change) => left(change).length > 0);
    const changedIds = new Set(changed.map(({ before }) => before?.id));
    for (const id of new Set(leaving.map(({ before }) => before?.conversationId ?? ''))) {
      for await (const item of this.table.query({ pk: messagingKeys.messages(this.workspaceId, id) })) {
        const message = recordOf<Message>(item);
        if (changedIds.has(message.id)) continue;
        for (const file of namedFileItems(this.workspaceId, message)) kept.add(addressOf(file));
      }
    }
    const removed = new Map(leaving.flatMap(left).map((item) => [addressOf(item), item]));
    await removeAll(this.table, [...removed.values()]);
  }

  #changeOf(
    message: ImportedMessage,
    pointer: Pointer | undefined,
    stored: Item | undefined,
  ): MessageChange | undefined {
    const after = withTimes(message, pointer, this.importedAt) as Message;
    if (stored?.['record'] === JSON.stringify(after)) return undefined;
    return { id: message.id, before: stored && recordOf<Message>(stored), pointer, after };
  }

  #filesOf = ({ after }: MessageChange): Item[] => (after ? namedFileItems(this.workspaceId, after) : []);

  #pointerKey = (id: string) => keys.record(this.workspaceId, 'message', id);

  #key = ({ conversationId, createdAt }: Pointer, id: string) =>
    messagingKeys.message(this.workspaceId, conversationId, createdAt, id);
}

const addressOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** The conversation of a message, and the former one. */
const conversationIdsOf = ({ pointer, after }: MessageChange): string[] => [
  ...new Set([pointer, after].flatMap((place) => place?.conversationId ?? [])),
];

function* chunksOf(changes: readonly MessageChange[]): Generator<MessageChange[]> {
  let chunk: MessageChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    const added = storedBytes(change.after ?? null);
    if (chunk.length === messagesPerTransaction || (chunk.length > 0 && bytes + added > bytesPerTransaction)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(change);
    bytes += added;
  }
  if (chunk.length > 0) yield chunk;
}
