import { randomUUID } from 'node:crypto';
import type { Message } from '#lib/domain/messaging/message.ts';
import { keys } from '../keys.ts';
import { conversationWrites, stateIn, threadOf } from '../messaging/conversation-state.ts';
import { editedNow, recordOf } from '../record-of.ts';
import type { Item } from '../schema.ts';
import type { Table, Writes } from '../table.ts';
import type { StorageRules } from './change.ts';
import { appliedOf, etagOfText, recordWrite } from './record-items.ts';
import { stamped } from './time-stamps.ts';

/** A conversation whose messages change. */
interface AffectedConversation {
  readonly item: Item | undefined;
  readonly messages: readonly Message[];
}

interface Found {
  readonly pointer: Item | undefined;
  readonly item: Item | undefined;
  /** The message's conversation before and after the change, by id. */
  readonly conversations: ReadonlyMap<string, AffectedConversation>;
}

/**
 * Messages as records: stored in the order of their conversation, and found by id through a pointer. The conversation's
 * summary is recalculated from all its messages, so this is for corrections. `appendMessage` stores new messages.
 */
export const messageRules: StorageRules<Found> = {
  affectedCollections: () => [],
  read: async ({ table, workspaceId }, { id, record }) => {
    const pointer = await table.get(keys.record(workspaceId, 'message', id));
    const { conversationId, createdAt } = (pointer ?? {}) as unknown as Message;
    const item = pointer && (await table.get(keys.message(workspaceId, conversationId, createdAt, id)));
    const ids = new Set(
      [conversationId, (record as Message | null)?.conversationId].filter((each) => each !== undefined),
    );
    const conversations = await Promise.all(
      [...ids].map(async (each) => [each, await readConversation(table, workspaceId, each)] as const),
    );
    const text = item && String(item['record']);
    return {
      record: item && recordOf(item),
      etag: text && etagOfText(text),
      item: {
        pointer,
        item,
        conversations: new Map(conversations),
      },
    };
  },
  plan: ({ workspaceId, context }, { id, record }, { record: before, item: { pointer, item, conversations } }) => {
    const isSame = (message: object) => JSON.stringify(message) === item?.['record'];
    const after = record ? (stamped(record, before, context.now, isSame) as Message | undefined) : undefined;
    if (record && !after) return undefined;
    const text = JSON.stringify(after);
    const revision = randomUUID();
    const pointerKey = keys.record(workspaceId, 'message', id);
    const messageKey = after && keys.message(workspaceId, after.conversationId, after.createdAt, id);
    const isMoved = item !== undefined && messageKey?.sk !== item.sk;
    const isElsewhere = item !== undefined && messageKey?.pk !== item.pk;
    const leaves = item && (isMoved || isElsewhere);
    const written = after && { text, revision };
    return {
      revision,
      applied: appliedOf(before, after, text),
      writes: {
        record: messageKey ? recordWrite(messageKey, leaves ? undefined : item, written) : undefined,
        former: leaves ? recordWrite(item, item, undefined) : undefined,
        pointer: after
          ? {
              Put: {
                Item: {
                  ...pointerKey,
                  conversationId: after.conversationId,
                  createdAt: after.createdAt,
                  ...editedNow(),
                },
              },
            }
          : pointer && { Delete: { Key: pointerKey } },
        ...summaryWrites(workspaceId, { id, after, conversations, revision }),
      },
      logged: () => [],
    };
  },
};

async function readConversation(table: Table, workspaceId: string, id: string): Promise<AffectedConversation> {
  const item = await table.get(keys.record(workspaceId, 'conversation', id));
  const items = item ? await table.range({ pk: keys.messages(workspaceId, id) }) : [];
  return { item, messages: items.map(recordOf<Message>) };
}

interface SummaryChange {
  readonly id: string;
  readonly after: Message | undefined;
  readonly conversations: ReadonlyMap<string, AffectedConversation>;
  readonly revision: string;
}

/** Updates the summaries of the conversations. */
function summaryWrites(workspaceId: string, { id, after, conversations, revision }: SummaryChange): Writes {
  const changes = [...conversations].flatMap(([conversationId, { item, messages }], index) => {
    if (!item) return [];
    const others = messages.filter((message) => message.id !== id);
    const all = after?.conversationId === conversationId ? [...others, after] : others;
    const { conversation, thread: former } = stateIn(item);
    const thread = { ...threadOf(all.toSorted(inOrder)), madeId: former.madeId, import: former.import };
    const writes = conversationWrites(workspaceId, {
      id: conversationId,
      item,
      after: { conversation, thread },
      revision,
    });
    return Object.entries(writes).map(([name, write]) => [`${name} ${index}`, write] as const);
  });
  return Object.fromEntries(changes);
}

const inOrder = (a: Message, b: Message): number => (`${a.createdAt}#${a.id}` < `${b.createdAt}#${b.id}` ? -1 : 1);
