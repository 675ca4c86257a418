import { type Conversation, customerChannelOf, type Message } from '#lib/domain/messaging/conversation.ts';
import { firstCodePoints } from '#lib/domain/text/code-points.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import { referenceItems } from '../references.ts';
import { activeAt, isOver } from '../retention.ts';
import { editedNow } from '../stored-item.ts';
import { type Item, recordOf, type Table, type Writes } from '../table.ts';
import { messagingKeys } from './keys.ts';

/** The summary of a conversation's messages, stored in the conversation's item. */
export interface Thread {
  /** The newest message, with the beginning of its text. */
  readonly last?: Pick<Message, 'id' | 'createdAt' | 'text'> | undefined;
  /** The number of the customer's messages. */
  readonly ofCustomer: number;
  /** The newest id that the service has made. */
  readonly madeId?: string | undefined;
}

/** A conversation with the summary of its messages. */
export interface ConversationState {
  readonly conversation: Conversation;
  readonly thread: Thread;
}

const previewCodePoints = 120;

/** The beginning of a text, at most 120 code points (lib/spec/additions.md section 3, "Shape"). */
export const previewOf = (text: string): string => firstCodePoints(text, previewCodePoints);

/** The thread after a new message. */
export const withMessage = (thread: Thread, { id, createdAt, text, senderType }: Message): Thread => ({
  ...thread,
  last: { id, createdAt, text: previewOf(text) },
  ofCustomer: thread.ofCustomer + (senderType === 'customer' ? 1 : 0),
});

/** Equal threads have equal texts. */
const textOf = ({ last, ofCustomer, madeId }: Thread): string => JSON.stringify({ last, ofCustomer, madeId });

/** A conversation and its thread, from its item or from its row in lists. */
export const stateIn = (item: Item): ConversationState => ({
  conversation: recordOf<Conversation>(item),
  thread: JSON.parse(String(item['thread'])) as Thread,
});

/** The state that readers may see: absent if the time of the conversation is over. */
export function keptStateIn(item: Item | undefined): ConversationState | undefined {
  const state = item && stateIn(item);
  return state && !isOver('conversation', activeAt(state.conversation, state.thread)) ? state : undefined;
}

/** The thread of a conversation, from all its messages. */
export async function readThread(table: Table, workspaceId: string, id: string): Promise<Thread> {
  let thread: Thread = { ofCustomer: 0 };
  for await (const item of table.query({ pk: messagingKeys.messages(workspaceId, id) })) {
    thread = withMessage(thread, recordOf<Message>(item));
  }
  return thread;
}

/** A change of a conversation. Without `after`, it is removed. */
export interface StateChange {
  readonly id: string;
  /** The stored item; undefined for a new conversation. */
  readonly item: Item | undefined;
  readonly after: ConversationState | undefined;
  /** A random id of this change. */
  readonly revision: string;
  /** Whether an import makes the change. @default false */
  readonly isImport?: boolean;
}

/**
 * The writes of a changed conversation: its item, its list row (M6) and its pointers (M7, W3). They fail
 * if the stored version has changed since the read. Every change of a conversation uses them.
 */
export function conversationWrites(workspaceId: string, change: StateChange): Writes {
  const { id, item, after } = change;
  const before = item && stateIn(item);
  const [rowsBefore, rowsAfter] = [before, after].map((state) => (state ? rowsOf(workspaceId, state) : []));
  const key = keys.record(workspaceId, 'conversation', id);
  const condition = isStill('revision', item?.['revision']);
  return {
    conversation: after
      ? { Put: { Item: { ...key, ...attributesOf(change, after) }, ...condition } }
      : { Delete: { Key: key, ...condition } },
    rows: (rowsAfter ?? [])
      .filter((row) => !rowsBefore?.some((other) => JSON.stringify(other) === JSON.stringify(row)))
      .map((Item) => ({ Put: { Item } })),
    formerRows: (rowsBefore ?? [])
      .filter((row) => !rowsAfter?.some(({ pk, sk }) => pk === row.pk && sk === row.sk))
      .map(({ pk, sk }) => ({ Delete: { Key: { pk, sk } } })),
  };
}

function attributesOf({ item, revision, isImport = false }: StateChange, { conversation, thread }: ConversationState) {
  const record = JSON.stringify(conversation);
  const editedAt = item?.['record'] === record ? item['editedAt'] : editedNow().editedAt;
  return {
    record,
    thread: textOf(thread),
    revision,
    // An import removes the mark of an edit. A message does not change it.
    ...(!isImport && editedAt !== undefined && { editedAt }),
  };
}

/** The further items of a conversation: its row in lists, its open main conversation, and its references. */
function rowsOf(workspaceId: string, state: ConversationState): Item[] {
  const { conversation, thread } = state;
  const { id, createdAt } = conversation;
  const on = customerChannelOf(conversation);
  return [
    {
      ...messagingKeys.conversationRow(workspaceId, activeAt(conversation, thread), id),
      record: JSON.stringify(conversation),
      thread: textOf({ ...thread, madeId: undefined }),
    },
    ...(on ? [{ ...messagingKeys.openConversation(workspaceId, on, createdAt, id), id }] : []),
    ...referenceItems(workspaceId, 'conversation', conversation),
  ];
}
