import { randomUUID } from 'node:crypto';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import { conversationWrites, readThread, stateIn, type Thread } from '../messaging/conversation-state.ts';
import type { Item } from '../schema.ts';
import { withAssignee } from '../writer/conversation-rules.ts';
import { repeatWrite, tryTransaction } from '../writer/repeat-write.ts';
import { withTimes } from '../writer/time-stamps.ts';
import { PlainWriter } from './plain-writer.ts';
import type { WriterOptions } from './writer-options.ts';

export type ImportedConversation = Omit<Conversation, 'assignee' | 'createdAt' | 'updatedAt'> &
  Partial<Pick<Conversation, 'assignee' | 'createdAt' | 'updatedAt'>>;

/** Writes conversations with their rows in lists. */
export class ConversationWriter extends PlainWriter {
  readonly #ids = new Set<string>();

  constructor(options: WriterOptions) {
    super(options, 'conversation');
  }

  /** @returns the number of new or different ones */
  async write(conversations: readonly ImportedConversation[]): Promise<number> {
    const changed = await Promise.all(conversations.map((conversation) => this.#write(conversation)));
    return changed.filter(Boolean).length;
  }

  /** @returns the number of conversations that were removed because the document does not contain them */
  async finish(prune: boolean): Promise<number> {
    if (!prune) return 0;
    const gone = await this.unnamed(this.#ids, ['pk', 'sk', 'editedAt']);
    for (const { sk } of gone) await this.#change(sk, () => undefined);
    return gone.length;
  }

  async #write(imported: ImportedConversation): Promise<boolean> {
    const { id } = imported;
    this.#ids.add(id);
    let isChanged = false;
    await this.#change(id, async ({ item, conversation: before, thread }) => {
      const after = withTimes(withAssignee(imported, before), before, this.importedAt) as Conversation;
      isChanged = JSON.stringify(after) !== JSON.stringify(before);
      if (isChanged && item && before && this.concurrentEdits.keeps('conversation', item, before, imported)) {
        isChanged = false;
      }
      if (!isChanged) return 'unchanged';
      // Messages of a new conversation may be imported before or after it.
      const summary = thread ?? (await readThread(this.table, this.workspaceId, id));
      return { conversation: after, thread: summary, isImport: true };
    });
    return isChanged;
  }

  /** Changes a stored conversation or creates one. Does nothing if it is neither stored nor in the document. */
  async #change(id: string, change: (before: PreviousConversation) => Changed | Promise<Changed>): Promise<void> {
    const key = keys.record(this.workspaceId, 'conversation', id);
    let item = await this.table.uncached().get(key);
    // The service may change a conversation between its read and its write.
    await repeatWrite<ChangedConversation | undefined, 'done'>(this.table, {
      prepare: async () => {
        const changed = await change(beforeOf(item));
        if (changed === 'unchanged' || (!item && !changed?.conversation)) return undefined;
        const after = changed?.conversation && { conversation: changed.conversation, thread: changed.thread };
        return { id, item, after, revision: randomUUID(), isImport: changed?.isImport ?? false };
      },
      write: async (changed) => {
        if (!changed) return 'done';
        try {
          const writes = conversationWrites(this.workspaceId, changed);
          return (await tryTransaction(this.table, writes)) ?? 'done';
        } catch (error) {
          if (!(error instanceof ConditionFailed)) throw error;
          item = error.item as Item | undefined;
          return 'changed';
        }
      },
    });
  }
}

type ChangedConversation = Parameters<typeof conversationWrites>[1];

interface PreviousConversation {
  readonly item: Item | undefined;
  readonly conversation: Conversation | undefined;
  readonly thread: Thread | undefined;
}

type Changed =
  | 'unchanged'
  | { readonly conversation: Conversation | undefined; readonly thread: Thread; readonly isImport?: boolean }
  | undefined;

const beforeOf = (item: Item | undefined): PreviousConversation =>
  item ? { item, ...stateIn(item) } : { item, conversation: undefined, thread: undefined };
