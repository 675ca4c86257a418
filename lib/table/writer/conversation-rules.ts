import { randomUUID } from 'node:crypto';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import { keys } from '../keys.ts';
import { conversationWrites, keptStateIn, readThread, type Thread } from '../messaging/conversation-state.ts';
import type { Item } from '../schema.ts';
import { etagOfText } from '../stored-item.ts';
import type { StorageRules } from './change.ts';
import { appliedOf } from './record-items.ts';
import { noteReference, type Parent } from './reference-slots.ts';
import { stamped } from './time-stamps.ts';

interface Found {
  readonly item: Item | undefined;
  readonly thread: Thread;
}

/** Conversations: stored with a summary of their messages, and listed by activity, customer and channel. */
export const conversationRules: StorageRules<Found> = {
  ownKeys: (workspaceId, { id }) => [keys.record(workspaceId, 'conversation', id)],
  read: async ({ table, workspaceId }, { id, condition }) => {
    const item = await table.get(keys.record(workspaceId, 'conversation', id));
    const isNew = condition !== undefined && 'is' in condition && condition.is === 'new';
    const stored = keptStateIn(item);
    const noThread = isNew ? { ofCustomer: 0 } : undefined;
    const thread = stored?.thread ?? noThread ?? (await readThread(table, workspaceId, id));
    return {
      record: stored?.conversation,
      etag: stored && etagOfText(String(item?.['record'])),
      item: { item, thread },
    };
  },
  plan: ({ workspaceId, context }, { id, record }, { record: before, item: { item, thread } }) => {
    const isSame = (after: object) => JSON.stringify(after) === item?.['record'];
    const input = record && withAssignee(record as Conversation, before as Conversation | undefined);
    const after = input ? stamped(input, before, context.now, isSame) : undefined;
    if (input && !after) return undefined;
    const revision = randomUUID();
    const state = after && { conversation: after, thread };
    return {
      revision,
      applied: appliedOf(before, after, JSON.stringify(after)),
      writes: {
        ...conversationWrites(workspaceId, { id, item, after: state, revision }),
        parents: parentsOf(before as Conversation | undefined, after as Conversation | undefined).map((parent) =>
          noteReference(workspaceId, parent),
        ),
      },
      logged: [],
    };
  },
};

/** The channel and the customer that the conversation gets by this change. */
function parentsOf(before: Conversation | undefined, after: Conversation | undefined): Parent[] {
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
): C & Pick<Conversation, 'assignee'> => ({ ...record, assignee: record.assignee ?? keptAssignee(record, stored) });

const keptAssignee = (
  record: Partial<Pick<Conversation, 'assignee'>>,
  stored: Pick<Conversation, 'assignee'> | undefined,
) => (record.assignee === null ? null : (stored?.assignee ?? null));
