import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import type { Message } from '#lib/domain/messaging/message.ts';
import { dueKey } from './due/due-key.ts';
import { isStill } from './dynamodb/conditions.ts';
import { ConditionFailed } from './errors.ts';
import { keys, type RecordKind } from './keys.ts';
import { conversationWrites, keptStateIn, stateIn } from './messaging/conversation-state.ts';
import { messagingKeys } from './messaging/keys.ts';
import { orphanedObjectWrite } from './messaging/pending-attachment.ts';
import { type Named, namesOf } from './record-names.ts';
import { recordOf } from './record-of.ts';
import type { Item, Key } from './schema.ts';
import type { Table, TransactItem, Writes } from './table.ts';
import { repeatTransaction } from './writer/repeat-write.ts';

// The removal of records whose time is over (retention.ts), and of what belongs to them. Each step can be repeated.

const removeKey = ({ pk, sk }: Key): TransactItem => ({ Delete: { Key: { pk, sk } } });

/** Removes a record and its names, unless it has changed since it was read. */
export async function removeRecord(
  table: Table,
  { workspaceId }: WorkspaceScope,
  kind: RecordKind,
  item: Item,
  more: Writes = {},
): Promise<void> {
  const { pk, sk, record } = item;
  const names = namesOf(kind, recordOf<Named>(item)).map((name) => removeKey(keys.slug(workspaceId, kind, name)));
  const removal = { Delete: { Key: { pk, sk }, ...isStill('record', record) } };
  try {
    await repeatTransaction(table, { record: removal, names, ...more });
  } catch (error) {
    // Somebody else has removed or changed it, or the reply to our own try was lost.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** Removes a file, if it is stored. The sweep of attachments removes its bytes. */
export async function removeFile(table: Table, scope: WorkspaceScope, id: string): Promise<void> {
  const item = await table.get(keys.record(scope.workspaceId, 'attachment', id));
  if (!item) return;
  const object = orphanedObjectWrite(scope, recordOf<Attachment>(item), Date.now());
  await removeRecord(table, scope, 'attachment', item, { object });
}

/** What is left of a conversation that has been removed. It is due work of the type `conversation`. */
export interface RemovedConversation {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly customerId: string | null;
}

/**
 * Removes a conversation whose time is over from every list, in one transaction. That also makes the removal of all that
 * belongs to it due, so that no crash leaves a half.
 * @param row its row in the list of conversations
 * @returns whether it is gone; it stays if it has got a message meanwhile
 */
export async function removeConversation(table: Table, scope: WorkspaceScope, row: Item, dueAt: number) {
  const { workspaceId } = scope;
  const { id, customerId } = stateIn(row).conversation;
  const item = await table.uncached().get(keys.record(workspaceId, 'conversation', id));
  if (keptStateIn(item)) return false;
  const work: RemovedConversation = { workspaceId, conversationId: id, customerId };
  const due = { ...dueKey({ type: 'conversation', group: workspaceId, id, dueAt }), ...work };
  const removal = item ? conversationWrites(workspaceId, { id, item, after: undefined, revision: '' }) : {};
  try {
    await repeatTransaction(table, { ...removal, ...(!item && { row: removeKey(row) }), due: { Put: { Item: due } } });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** A transaction has at most 100 items, and a message is two of them. */
const messagesAtOnce = 50;

/**
 * Removes what belongs to a removed conversation: messages, the customer's files, replies under way, read marks. Files
 * of the team stay, because the team may use them elsewhere.
 * @returns whether all is gone; otherwise it is to be called again
 */
export async function removeContents(table: Table, work: RemovedConversation, isTimeLeft: () => boolean) {
  const { workspaceId, conversationId } = work;
  // An import has brought the conversation back.
  if (await table.get(keys.record(workspaceId, 'conversation', conversationId))) return true;
  const messages = table.query({ pk: messagingKeys.messages(workspaceId, conversationId), perPage: messagesAtOnce });
  for await (const some of inGroups(messages, messagesAtOnce)) {
    if (!isTimeLeft()) return false;
    const records = some.map((item) => recordOf<Message>(item));
    const ofCustomer = records.filter(({ senderType }) => senderType === 'customer');
    await removeFiles(
      table,
      work,
      ofCustomer.flatMap(({ attachments }) => attachments),
    );
    const pointers = records.map(({ id }) => keys.record(workspaceId, 'message', id));
    await repeatTransaction(table, { items: [...some, ...pointers].map(removeKey) });
  }
  const files = await table.range({ pk: messagingKeys.conversationFiles(workspaceId, conversationId) });
  const uploaded = files.filter(({ sk }) => sk.startsWith('uploaded#')).map(({ sk }) => sk.slice('uploaded#'.length));
  await removeFiles(table, work, uploaded);
  const runs = await table.range({ pk: messagingKeys.aiRuns(workspaceId, conversationId) });
  const rest = [...files, ...runs, ...(await readMarksOf(table, work))];
  for await (const some of inGroups(rest, 2 * messagesAtOnce)) {
    if (!isTimeLeft()) return false;
    await repeatTransaction(table, { items: some.map(removeKey) });
  }
  return true;
}

async function removeFiles(table: Table, scope: WorkspaceScope, ids: readonly string[]): Promise<void> {
  for (const id of new Set(ids)) await removeFile(table, scope, id);
}

async function readMarksOf(table: Table, { workspaceId, conversationId, customerId }: RemovedConversation) {
  const members = await table.range({ pk: keys.records(workspaceId, 'member'), only: ['pk', 'sk'] });
  const readers = [
    ...members.map(({ sk }) => ({ type: 'member', id: sk })),
    ...(customerId === null ? [] : [{ type: 'customer', id: customerId }]),
  ];
  return readers.map((reader) => messagingKeys.readMark(workspaceId, reader, conversationId));
}

async function* inGroups<Each>(all: Iterable<Each> | AsyncIterable<Each>, length: number): AsyncGenerator<Each[]> {
  let group: Each[] = [];
  for await (const each of all) {
    group.push(each);
    if (group.length < length) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
