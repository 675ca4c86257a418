import { randomBytes, randomUUID } from 'node:crypto';
import { changedPaths } from '#lib/domain/access/changed-paths.ts';
import type { EventAuthor } from '#lib/domain/events/workspace-event.ts';
import type { Conversation, Message } from '#lib/domain/messaging/conversation.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { ConditionFailed, Contended } from '../errors.ts';
import { eventWrite } from '../events/event-writes.ts';
import { keys } from '../keys.ts';
import type { Item, Table, TransactItem, WorkspaceScope, Writes } from '../table.ts';
import { noteReference } from '../writer/reference-slots.ts';
import { repeatWrite, tryTransaction } from '../writer/repeat-write.ts';
import { laterThan } from '../writer/time-stamps.ts';
import { namedFileItems } from './conversation-files.ts';
import { conversationWrites, keptStateIn, type Thread, withMessage } from './conversations.ts';
import { Messages } from './messages.ts';

/** A message before it gets its id and time. */
export type NewMessage = Omit<Message, 'id' | 'conversationId' | 'createdAt'>;

/** The writes of one transaction. */
export interface ComposedMessage {
  readonly message: NewMessage;
  readonly author: EventAuthor;
  /** Members of the conversation that change with the message. */
  readonly changes?: Partial<Pick<Conversation, 'status' | 'assignee' | 'customerId'>> | undefined;
  /** Further writes of the transaction, made when the message has its id and time. */
  readonly additionalWrites?: ((message: Message, conversation: Conversation) => Writes) | undefined;
}

interface Appended {
  readonly message: Message;
  /** The conversation with the message. */
  readonly conversation: Conversation;
}

/**
 * Adds a message after all others of a conversation. The service stores new messages only here. Each one changes the
 * item of its conversation, on condition that nothing else has. So times and ids grow in the order of acceptance, in
 * all containers.
 * @param compose makes the message for the current conversation. It is called again after a conflict; its errors are
 * passed on
 * @returns undefined if the conversation does not exist
 * @throws ConditionFailed of a write in `additionalWrites`, Unavailable
 */
export async function appendMessage(
  table: Table,
  { workspaceId }: WorkspaceScope,
  conversationId: string,
  compose: (conversation: Conversation) => ComposedMessage | Promise<ComposedMessage>,
): Promise<Appended | undefined> {
  if (!isRecordId(conversationId)) return undefined;
  const key = keys.record(workspaceId, 'conversation', conversationId);
  let current: Item | undefined;
  return repeatWrite<Prepared | undefined, Appended | undefined>(table, {
    prepare: async () => {
      const item = current ?? (await table.get(key));
      const state = keptStateIn(item);
      if (!item || !state) return undefined;
      const { conversation: stored, thread } = state;
      return prepared(table, workspaceId, { item, stored, thread }, await compose(stored));
    },
    write: async (prepared) => {
      if (!prepared) return undefined;
      const failure = await store(table, prepared.writes);
      table.clearCache();
      if (!failure) return prepared.appended;
      // The failed condition has returned it.
      const isChanged = failure instanceof ConditionFailed && failure.write === 'conversation';
      current = isChanged ? (failure.item as Item | undefined) : undefined;
      return failure instanceof Contended ? failure : 'changed';
    },
    isPreparedEachTime: true,
    turn: `${workspaceId} messages ${conversationId}`,
    // A writer that lost retries before a new one can begin, so no writer loses for long.
    pauseMillisecondsMax: (tries) => 8 / tries,
  });
}

interface Prepared {
  readonly appended: Appended;
  readonly writes: Writes;
}

/** Gives a message its id and time, and makes the writes that store it. */
function prepared(
  table: Table,
  workspaceId: string,
  { item, stored, thread }: { readonly item: Item; readonly stored: Conversation; readonly thread: Thread },
  composition: ComposedMessage,
): Prepared {
  const position = nextMessagePosition(stored, thread);
  const appended = composed(stored, composition, position);
  const { message, conversation } = appended;
  const after = {
    ...withMessage(thread, message),
    madeId: position.id,
    numbering: thread.numbering ?? randomUUID(),
  };
  const attached = conversation.customerId === stored.customerId ? null : conversation.customerId;
  const writes = {
    ...composition.additionalWrites?.(message, conversation),
    ...conversationWrites(workspaceId, {
      id: stored.id,
      item,
      after: { conversation, thread: after },
      revision: randomUUID(),
    }),
    message: new Messages(table, { workspaceId }).creation(message, after),
    files: namedFileItems(workspaceId, message).map((Item) => ({ Put: { Item } })),
    events: eventsOf(workspaceId, stored, appended, composition.author),
    // The customer may be removed at the same time.
    parents: attached === null ? [] : noteReference(workspaceId, { kind: 'customer', id: attached }),
  };
  return { appended, writes };
}

function eventsOf(
  workspaceId: string,
  before: Conversation,
  { message, conversation }: Appended,
  author: EventAuthor,
): TransactItem[] {
  const created = { kind: 'messages', recordId: `${conversation.id}/${message.id}`, action: 'created' } as const;
  const events = [eventWrite({ workspaceId }, { ...created, ...author })];
  if (conversation === before) return events;
  const changed = changedPaths(before, conversation);
  const updated = { kind: 'conversations', recordId: conversation.id, action: 'updated', changed } as const;
  return [...events, eventWrite({ workspaceId }, { ...updated, ...author })];
}

/**
 * Tries the transaction once.
 * @returns the conflict, or the failed condition of the conversation or its customer; undefined if the message is stored
 * @throws ConditionFailed of another write, Unavailable
 */
async function store(table: Table, writes: Writes): Promise<Contended | ConditionFailed | undefined> {
  try {
    return await tryTransaction(table, writes);
  } catch (error) {
    if (!(error instanceof ConditionFailed) || !['conversation', 'parents'].includes(error.write ?? '')) throw error;
    return error;
  }
}

function composed(stored: Conversation, { message, changes }: ComposedMessage, position: MessagePosition): Appended {
  const changed = { ...stored, ...changes };
  const isChanged = JSON.stringify(changed) !== JSON.stringify(stored);
  return {
    message: { id: position.id, conversationId: stored.id, ...message, createdAt: position.createdAt },
    conversation: isChanged ? { ...changed, updatedAt: laterThan(stored.updatedAt) } : stored,
  };
}

const timeLength = 9;
const restLength = 22;
/** From the year 5188 on, a time has ten digits. */
const pattern = /^msg_t([0-9a-z]{9,10})([0-9a-f]{22})$/;

/** The latest possible time, because time stamps have four-digit years. */
const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

interface MessagePosition {
  readonly id: string;
  readonly createdAt: string;
}

/**
 * The position after all messages of a conversation, independent of clocks. Its time is later than theirs, and not
 * before that of the conversation, so activity never goes back. Its id sorts after all ids that the service has made
 * there, even of messages that do not exist (lib/spec/additions.md section 3). Ids start with their time.
 */
function nextMessagePosition({ createdAt }: Conversation, { last, madeId }: Thread): MessagePosition {
  const match = madeId === undefined ? null : pattern.exec(madeId);
  const previousTime = match ? Number.parseInt(match[1] ?? '', 36) : 0;
  const lastTime = last ? Date.parse(last.createdAt) : 0;
  const earliest = Math.max(Date.parse(createdAt), lastTime + 1, previousTime + 1);
  const time = Math.min(latestTime, Math.max(Date.now(), earliest));
  const text = time.toString(36).padStart(timeLength, '0');
  // Two messages can have the same time only at the latest possible time.
  const rest = match && previousTime === time ? following(match[2] ?? '') : randomBytes(restLength / 2).toString('hex');
  return { id: `msg_t${text}${rest}`, createdAt: new Date(time).toISOString() };
}

const following = (hex: string): string => (BigInt(`0x${hex}`) + 1n).toString(16).padStart(restLength, '0');
