import type { Form } from '#lib/domain/forms/form.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import { inGroups } from '#lib/domain/in-groups.ts';
import { timeOfAttachment } from '#lib/domain/messaging/attachment-key.ts';
import type { Message } from '#lib/domain/messaging/conversation.ts';
import { dueKey } from './due/keys.ts';
import { isStill } from './dynamodb/conditions.ts';
import { isMade } from './dynamodb/is-made.ts';
import { keys, type RecordKind } from './keys.ts';
import { conversationWrites, keptStateIn, stateIn } from './messaging/conversations.ts';
import { messagingKeys } from './messaging/keys.ts';
import { type Named, namesOf } from './record-names.ts';
import {
  findRecord,
  type Item,
  type Key,
  recordOf,
  type Table,
  type TransactItem,
  type WorkspaceScope,
  type Writes,
} from './table.ts';
import { applyChange, ChangeRefused } from './writer/apply-change.ts';
import { attachmentRules } from './writer/attachment-rules.ts';
import { repeatTransaction } from './writer/repeat-write.ts';

// The removal of records whose time is over (retention.ts), and of what belongs to them. Each step can be repeated.
// erasing.ts removes conversations before that.

export const removeKey = ({ pk, sk }: Key): TransactItem => ({ Delete: { Key: { pk, sk } } });

/** Removes a record and its names, unless it has changed since it was read. */
export async function removeRecord(
  table: Table,
  { workspaceId }: WorkspaceScope,
  kind: RecordKind,
  item: Item,
  more: Writes = {},
): Promise<void> {
  const { pk, sk } = item;
  const names = namesOf(kind, recordOf<Named>(item)).map((name) => removeKey(keys.slug(workspaceId, kind, name)));
  const record = { Delete: { Key: { pk, sk }, ...isStill('record', item['record']) } };
  // If the condition fails, somebody else has removed or changed it.
  await isMade(repeatTransaction(table, { record, names, ...more }));
}

/** Removes a file, if it is stored. The sweep of attachments removes its bytes. */
export async function removeFile(table: Table, scope: WorkspaceScope, id: string): Promise<void> {
  const removal = { kind: 'attachment', id, decide: async () => null } as const;
  const context = { now: new Date().toISOString(), mayMeetImport: true };
  await applyChange(attachmentRules, table.uncached(), scope, removal, context).catch((error: unknown) => {
    if (!(error instanceof ChangeRefused)) throw error;
  });
}

/** The files go first, so that none is left behind without the response that names it. */
export async function removeResponse(
  table: Table,
  scope: WorkspaceScope,
  item: Item,
  more: Writes = {},
): Promise<void> {
  const response = recordOf<FormResponse>(item);
  const form = await findRecord<Form>(table, scope, 'form', response.formId);
  for (const id of filesOf(response, form)) await removeFile(table, scope, id);
  await removeRecord(table, scope, 'formResponse', item, more);
}

/** The answers to FILE fields, and to fields that the form no longer has. A text that looks like an id names no file. */
function filesOf({ answers }: FormResponse, form: Form | undefined): string[] {
  const typeOf = (ref: string) => form?.fields.find((field) => field.ref === ref)?.type ?? 'FILE';
  return Object.entries(answers)
    .filter(([ref]) => typeOf(ref) === 'FILE')
    .flatMap(([, answer]) => [answer].flat().map(String))
    .filter((id) => timeOfAttachment(id) !== undefined);
}

/** What is left of a conversation that has been removed. It is due work of the type `conversation`. */
export interface RemovedConversation {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly customerId: string | null;
  /** Whether its person was erased: then all of its files go, except those that another conversation names. */
  readonly isErased?: true;
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
  const due = contentsDue({ workspaceId, conversationId: id, customerId }, dueAt);
  const removal = item ? conversationWrites(workspaceId, { id, item, after: undefined, revision: '' }) : {};
  return isMade(repeatTransaction(table, { ...removal, ...(!item && { row: removeKey(row) }), due }));
}

/** The write that makes the removal of what belongs to a conversation due. */
export function contentsDue(work: RemovedConversation, dueAt: number): TransactItem {
  const key = dueKey({ type: 'conversation', group: work.workspaceId, id: work.conversationId, dueAt });
  return { Put: { Item: { ...key, ...work } } };
}

/** A transaction has at most 100 items, and a message is two of them. */
const messagesAtOnce = 50;

/**
 * Removes what belongs to a removed conversation: messages, files, replies under way, read marks, visitors' tokens. Of the
 * files only those of the customer, unless the person is erased: the team may use its own elsewhere.
 * @returns whether all is gone; otherwise it is to be called again
 */
export async function removeContents(table: Table, work: RemovedConversation, isTimeLeft: () => boolean) {
  const { workspaceId, conversationId, isErased } = work;
  // An import has brought the conversation back.
  if (await table.get(keys.record(workspaceId, 'conversation', conversationId))) return true;
  const messages = table.query({ pk: messagingKeys.messages(workspaceId, conversationId), perPage: messagesAtOnce });
  for await (const some of inGroups(messages, messagesAtOnce)) {
    if (!isTimeLeft()) return false;
    const records = some.map((item) => recordOf<Message>(item));
    await removeNames(table, work, records);
    const going = records.filter(({ senderType }) => isErased || senderType === 'customer');
    await removeFiles(
      table,
      work,
      going.flatMap(({ attachments }) => attachments),
    );
    const pointers = records.map(({ id }) => keys.record(workspaceId, 'message', id));
    await repeatTransaction(table, { items: [...some, ...pointers].map(removeKey) });
  }
  const ofVisitors = await table.range({ pk: messagingKeys.ofVisitors(workspaceId, conversationId) });
  const uploaded = ofVisitors.flatMap(({ sk }) => restOf(sk, 'uploaded#'));
  await removeFiles(table, work, uploaded);
  const runs = await table.range({ pk: messagingKeys.aiRuns(workspaceId, conversationId) });
  const rest = [...notedBy(workspaceId, ofVisitors), ...ofVisitors, ...runs, ...(await readMarksOf(table, work))];
  for await (const some of inGroups(rest, 2 * messagesAtOnce)) {
    if (!isTimeLeft()) return false;
    await repeatTransaction(table, { items: some.map(removeKey) });
  }
  return true;
}

/** The tokens and idempotency records that notes of visitors name. */
export const notedBy = (workspaceId: string, notes: readonly Key[]): Key[] =>
  notes.flatMap(({ sk }) => [
    ...restOf(sk, 'token#').map(keys.visitorToken),
    ...restOf(sk, 'answer#').map((hash) => keys.idempotencyRecord(workspaceId, hash)),
  ]);

/** The part of a sort key after its beginning, if it begins so. */
const restOf = (sk: string, start: string): string[] => (sk.startsWith(start) ? [sk.slice(start.length)] : []);

/**
 * Removes the notes that the conversation names files. Two conversations that name a file may go at the same time: each
 * takes its note away first, so the later one finds none and removes the file.
 */
async function removeNames(
  table: Table,
  { workspaceId, conversationId }: RemovedConversation,
  messages: readonly Message[],
): Promise<void> {
  const ids = new Set(messages.flatMap(({ attachments }) => attachments));
  const names = [...ids].map((id) => messagingKeys.namedFile(workspaceId, conversationId, id));
  for await (const some of inGroups(names, 2 * messagesAtOnce)) {
    await repeatTransaction(table, { items: some.map(removeKey) });
  }
}

async function removeFiles(table: Table, work: RemovedConversation, ids: readonly string[]): Promise<void> {
  for (const id of new Set(ids)) {
    if (work.isErased && (await isNamed(table, work, id))) continue;
    await removeFile(table, work, id);
  }
}

/** Whether a conversation that exists names a file. */
async function isNamed(table: Table, { workspaceId, conversationId }: RemovedConversation, id: string) {
  const names = await table.uncached().range({ pk: messagingKeys.namesOfFile(workspaceId, id) });
  return names.some(({ sk }) => sk !== conversationId);
}

async function readMarksOf(table: Table, { workspaceId, conversationId, customerId }: RemovedConversation) {
  const members = await table.range({ pk: keys.records(workspaceId, 'member'), only: ['pk', 'sk'] });
  const readers = [
    ...members.map(({ sk }) => ({ type: 'member', id: sk })),
    ...(customerId === null ? [] : [{ type: 'customer', id: customerId }]),
  ];
  return readers.map((reader) => messagingKeys.readMark(workspaceId, reader, conversationId));
}
