import {
  type Conversation,
  type CustomerChannel,
  customerChannelOf,
  type Message,
} from '#lib/domain/messaging/conversation.ts';
import { firstCodePoints } from '#lib/domain/text/code-points.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { isStill } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import { referenceItems } from '../references.ts';
import { activeAt, isOver, keptSince } from '../retention.ts';
import { editedNow, etagOfText } from '../stored-item.ts';
import { type Item, Repository, recordOf, type Table, type Writes } from '../table.ts';
import { messagingKeys } from './keys.ts';

/** The summary of a conversation's messages, stored in the conversation's item. */
export interface Thread {
  /** The newest message, with the beginning of its text. */
  readonly last?: Pick<Message, 'id' | 'createdAt' | 'text'> | undefined;
  /** The number of the customer's messages. */
  readonly ofCustomer: number;
  /** The newest id that the service has made. */
  readonly madeId?: string | undefined;
  /** A random id: messages with it have valid numbers. An import that changes messages removes it. */
  readonly numbering?: string | undefined;
}

/** A conversation with the summary of its messages. */
interface ConversationState {
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
const textOf = ({ last, ofCustomer, madeId, numbering }: Thread): string =>
  JSON.stringify({ last, ofCustomer, madeId, numbering });

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
interface StateChange {
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
