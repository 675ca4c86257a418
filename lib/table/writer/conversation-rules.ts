import { randomUUID } from 'node:crypto';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { keys } from '../keys.ts';
import { conversationWrites, keptStateIn, readThread, stateIn } from '../messaging/conversations.ts';
import { etagOfText } from '../stored-item.ts';
import type { Item } from '../table.ts';
import type { StorageRules, WriteContext } from './change.ts';
import { appliedOf } from './record-items.ts';
import { noteReference, type Parent } from './reference-slots.ts';
import { stamped } from './time-stamps.ts';

/** Conversations: stored with a summary of their messages, and listed by activity, customer and channel. */
export const conversationRules: StorageRules<Item | undefined> = {
  ownKeys: (workspaceId, { id }) => [keys.record(workspaceId, 'conversation', id)],
  read: async ({ table, workspaceId, context }, { id }) => {
    const item = await table.get(keys.record(workspaceId, 'conversation', id));
    const record = storedState(context, item)?.conversation;
    return { record, etag: record && etagOfText(String(item?.['record'])), item };
  },
  plan: async ({ table, workspaceId, context }, { id, record }, { record: before, item }) => {
    const isSame = (after: object) => JSON.stringify(after) === item?.['record'];
    const input = record && withAssignee(record as Conversation, before as Conversation | undefined);
    const after = input ? stamped(input, before, context.now, isSame) : undefined;
    if (input && !after) return undefined;
    const revision = randomUUID();
    const { isImport = false } = context;
    // Messages may be imported before their conversation. Otherwise the id of a new one is random.
    const newThread = async () => (isImport ? readThread(table, workspaceId, id) : { ofCustomer: 0 });
    const state = after && { conversation: after, thread: storedState(context, item)?.thread ?? (await newThread()) };
    return {
      revision,
      applied: appliedOf(before, after, JSON.stringify(after)),
      writes: {
        ...conversationWrites(workspaceId, { id, item, after: state, revision, isImport }),
        // The check of a document has found the parents.
        parents: isImport
          ? []
          : parentsOf(before as Conversation | undefined, after).map((parent) => noteReference(workspaceId, parent)),
      },
      logged: [],
    };
  },
};

/** A document may name conversations whose time is over. */
const storedState = ({ isImport }: WriteContext, item: Item | undefined) =>
  isImport ? item && stateIn(item) : keptStateIn(item);

/** The channel and the customer that the conversation gets by this change. */
export function parentsOf(before: Conversation | undefined, after: Conversation | undefined): Parent[] {
  const named = [
    { kind: 'channel', id: after?.channelId, former: before?.channelId },
    { kind: 'customer', id: after?.customerId, former: before?.customerId },
  ] as const;
  return named.flatMap(({ kind, id, former }) => (id && id !== former ? [{ kind, id }] : []));
}

/** A record without `assignee` keeps the stored one (lib/spec/additions.md section 3). */
export const withAssignee = <C extends Partial<Pick<Conversation, 'assignee'>>>(
  record: C,
  stored: Pick<Conversation, 'assignee'> | undefined,
): C & Pick<Conversation, 'assignee'> => ({
  ...record,
  assignee: record.assignee === undefined ? (stored?.assignee ?? null) : record.assignee,
});
