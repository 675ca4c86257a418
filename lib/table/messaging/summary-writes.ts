import { randomUUID } from 'node:crypto';
import type { Message } from '#lib/domain/messaging/conversation.ts';
import { isNew } from '../dynamodb/conditions.ts';
import { keys } from '../keys.ts';
import type { Table, Writes } from '../table.ts';
import { conversationWrites, previewOf, stateIn, type Thread } from './conversations.ts';
import { messagingKeys } from './keys.ts';
import { Messages } from './messages.ts';

/** A new, different or removed message. */
export interface ChangedMessage {
  readonly id: string;
  /** The stored message. */
  readonly before: Message | undefined;
  /** Undefined if it is removed. */
  readonly after: Message | undefined;
}

/**
 * The writes of a conversation for the transaction that changes any of its messages. Without a conversation, the
 * transaction fails if somebody has made one meanwhile.
 */
export async function summaryWrites(
  reads: Table,
  workspaceId: string,
  id: string,
  changes: readonly ChangedMessage[],
): Promise<Writes> {
  const key = keys.record(workspaceId, 'conversation', id);
  const item = await reads.get(key);
  if (!item) return { [`conversation ${id}`]: { ConditionCheck: { Key: key, ...isNew } } };
  const { conversation, thread } = stateIn(item);
  const after = { conversation, thread: await threadAfter(reads, workspaceId, id, { thread, changes }) };
  const writes = conversationWrites(workspaceId, { id, item, after, revision: randomUUID() });
  return Object.fromEntries(Object.entries(writes).map(([name, write]) => [`${name} ${id}`, write]));
}

async function threadAfter(
  reads: Table,
  workspaceId: string,
  id: string,
  { thread, changes }: { readonly thread: Thread; readonly changes: readonly ChangedMessage[] },
): Promise<Thread> {
  const before = changes.flatMap((change) => change.before ?? []).filter(({ conversationId }) => conversationId === id);
  const after = changes.flatMap((change) => change.after ?? []).filter(({ conversationId }) => conversationId === id);
  const changed = new Set(changes.map((change) => change.id));
  const isLastChanged = thread.last !== undefined && changed.has(thread.last.id);
  const kept = isLastChanged ? await newestOther(reads, workspaceId, id, changed) : thread.last;
  const placeOf = (message: Pick<Message, 'id' | 'createdAt'>) =>
    messagingKeys.message(workspaceId, id, message.createdAt, message.id).sk;
  const last = [...(kept ? [kept] : []), ...after].reduce<Thread['last']>(
    (newest, message) => (newest && placeOf(newest) > placeOf(message) ? newest : message),
    undefined,
  );
  return {
    last: last && { id: last.id, createdAt: last.createdAt, text: previewOf(last.text) },
    ofCustomer: thread.ofCustomer + countOfCustomer(after) - countOfCustomer(before),
    madeId: thread.madeId,
  };
}

/** The newest message that does not change. */
async function newestOther(reads: Table, workspaceId: string, id: string, changed: ReadonlySet<string>) {
  for await (const message of new Messages(reads, { workspaceId }).backwards(id)) {
    if (!changed.has(message.id)) return message;
  }
  return undefined;
}

const countOfCustomer = (messages: readonly Message[]): number =>
  messages.filter(({ senderType }) => senderType === 'customer').length;
