import { randomUUID } from 'node:crypto';
import type { EventAuthor } from '#lib/domain/events/workspace-event.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import { inGroups } from '#lib/domain/in-groups.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import type { Customer } from '#lib/domain/messaging/customer.ts';
import { hasIdentity, identitiesOf } from '#lib/domain/messaging/customer-match.ts';
import { auditWrite } from './access/audit-events.ts';
import { misplacedPrefix } from './dated-ids.ts';
import { type DueAddress, dueKey } from './due/keys.ts';
import { eventWrite } from './events/event-writes.ts';
import { keys } from './keys.ts';
import { conversationWrites, stateIn } from './messaging/conversations.ts';
import { messagingKeys } from './messaging/keys.ts';
import { prefixOf, type Referred, references } from './references.ts';
import { contentsDue, notedBy, removeKey, removeResponse } from './removals.ts';
import {
  type Item,
  type Key,
  recordOf,
  type Table,
  type TransactItem,
  type WorkspaceScope,
  type Writes,
} from './table.ts';
import { applyChange, ChangeRefused } from './writer/apply-change.ts';
import type { AppliedChange } from './writer/change.ts';
import { recordRules } from './writer/record-rules.ts';
import { repeatTransaction, repeatWrite, tryChange } from './writer/repeat-write.ts';

// The removal of a person with all that is theirs (lib/spec/additions.md section 2, "Erasing a person").

/** Due work of the type `conversation`: the removal of what is left of a person. */
export interface ErasedCustomer {
  readonly workspaceId: string;
  readonly customerId: string;
  readonly author: EventAuthor;
  /** The responses that hold this address go, too. */
  readonly email?: string;
  /** Whether all conversations are gone. Those that are found later are of a customer that was made again. */
  readonly areConversationsGone?: true;
}

/**
 * Longer than any request needs between its reads and its writes. So the work that follows finds what was written for a
 * conversation while it was removed: a token, a file, a run.
 */
const laterMilliseconds = 60_000;
const later = (): number => Date.now() + laterMilliseconds;

interface Erasure extends Pick<ErasedCustomer, 'customerId'> {
  readonly author: EventAuthor & { readonly actor: Parameters<typeof auditWrite>[1]['actor'] };
  /** Whether the responses that hold the e-mail address of the customer go, too. */
  readonly withResponses: boolean;
  /** Checks the stored customer. Its errors are passed on. */
  readonly check?: (stored: { readonly etag: string | undefined }) => void;
}

/**
 * Removes a customer, and everything else of the person from what callers see. The rest is due work, so no crash leaves a
 * half: the first transaction has it.
 * @returns whether there was anything to remove
 * @throws errors of `check`, Unavailable; the work then goes on
 */
export async function eraseCustomer(table: Table, scope: WorkspaceScope, erasure: Erasure): Promise<boolean> {
  const { workspaceId } = scope;
  const { customerId, author, withResponses, check } = erasure;
  let work: ErasedCustomer = { workspaceId, customerId, author };
  // Another call for the same customer has work of its own.
  const call = { id: `customers/${customerId}/${randomUUID()}`, dueAt: later() };
  const decide = async ({ record, etag }: Pick<AppliedChange, 'etag'> & { record: object | undefined }) => {
    if (!record) throw new ChangeRefused('missing');
    check?.({ etag });
    return null;
  };
  const additionalWrites = ({ before }: AppliedChange): Writes => {
    const email = withResponses ? (before as Customer).email : null;
    work = { workspaceId, customerId, author, ...(email !== null && { email }) };
    const audited = {
      recordKind: 'customers',
      recordId: customerId,
      action: 'delete',
      changed: [],
      ...author,
    } as const;
    return { ...auditWrite(scope, audited), due: erasingDue(work, call) };
  };
  const context = { now: new Date().toISOString(), additionalWrites };
  const change = { kind: 'customer', id: customerId, verb: 'delete', decide } as const;
  try {
    await applyChange(recordRules, table, scope, change, context);
  } catch (error) {
    if (!(error instanceof ChangeRefused) || error.reason !== 'missing') throw error;
    // A call that was cut off is repeated, or an import has left conversations without their customer.
    if ((await referrersTo(table, workspaceId, 'customer', customerId, 1)).length === 0) return false;
    await repeatTransaction(table, { due: erasingDue(work, call) });
  }
  await eraseConversations(table, work, () => true);
  await repeatTransaction(table, { due: erasingDue({ ...work, areConversationsGone: true }, call) });
  return true;
}

/** The write that makes the rest due. @param call its id is that of no conversation */
function erasingDue(work: ErasedCustomer, call: Pick<DueAddress, 'id' | 'dueAt'>): TransactItem {
  return { Put: { Item: { ...dueKey({ type: 'conversation', group: work.workspaceId, ...call }), ...work } } };
}

/** Removes what is left of the person. @returns whether all is gone; otherwise it is to be called again */
export async function finishErasing(table: Table, work: ErasedCustomer, isTimeLeft: () => boolean): Promise<boolean> {
  if (work.areConversationsGone) await removeAnswers(table, work);
  else if (!(await eraseConversations(table, work, isTimeLeft))) return false;
  if (work.email === undefined) return true;
  for await (const item of responsesHolding(table, work, work.email)) {
    if (!isTimeLeft()) return false;
    const removed = { kind: 'form-responses', recordId: item.sk, action: 'deleted', ...work.author } as const;
    await removeResponse(table, work, item, { event: eventWrite(work, removed) });
  }
  return true;
}

/** The responses in which an answer is an e-mail address, in any spelling of it. */
export async function* responsesHolding(table: Table, { workspaceId }: WorkspaceScope, email: string) {
  const identity = identitiesOf({ email }).find(({ kind }) => kind === 'email');
  if (!identity) return;
  for await (const item of table.query({ pk: keys.records(workspaceId, 'formResponse') })) {
    const answers = Object.values(recordOf<FormResponse>(item).answers).flat();
    const holds = (answer: unknown) => typeof answer === 'string' && hasIdentity({ email: answer }, identity);
    if (answers.some(holds)) yield item;
  }
}

const conversationsAtOnce = 8;
const referrersPerPage = 100;

/** The ids of the referrers of something. An interrupted import may leave a pointer without its record. */
export async function referrersTo(
  table: Table,
  workspaceId: string,
  referred: Referred,
  id: string,
  atMost?: number,
): Promise<string[]> {
  const from = prefixOf(referred, id);
  const pk = keys.slugs(workspaceId, references[referred].kind);
  const range = { pk, from, to: `${from}~`, perPage: referrersPerPage, ...(atMost !== undefined && { atMost }) };
  return Array.fromAsync(table.uncached().query(range), (pointer) => String(pointer['id']));
}

/** @returns whether all conversations of the person, and their sub-conversations, are gone */
async function eraseConversations(table: Table, work: ErasedCustomer, isTimeLeft: () => boolean): Promise<boolean> {
  const { workspaceId, customerId } = work;
  await removeAnswers(table, work);
  const own = await referrersTo(table, workspaceId, 'customer', customerId);
  for await (const some of inGroups(own, conversationsAtOnce)) {
    if (!isTimeLeft()) return false;
    await Promise.all(some.map((id) => eraseMain(table, work, id)));
  }
  return true;
}

/** The sub-conversations go first: they are found by their parent. */
async function eraseMain(table: Table, work: ErasedCustomer, id: string): Promise<void> {
  const { workspaceId, customerId } = work;
  const isOwn = (conversation: Conversation) => conversation.customerId === customerId;
  const item = await table.uncached().get(keys.record(workspaceId, 'conversation', id));
  if (!item || !isOwn(stateIn(item).conversation)) return;
  for (const sub of await referrersTo(table, workspaceId, 'main', id)) {
    await eraseConversation(table, work, sub, ({ parentId }) => parentId === id);
  }
  await eraseConversation(table, work, id, isOwn);
}

/** A notification has up to three items, and a transaction at most 100. */
const handOversAtOnce = 25;

/** Removes a conversation from everything that callers see: its notifications, itself, its visitors' sessions. */
async function eraseConversation(
  table: Table,
  work: ErasedCustomer,
  id: string,
  isMeant: (conversation: Conversation) => boolean,
): Promise<void> {
  const { workspaceId } = work;
  await repeatWrite<{ readonly writes: Writes; readonly isLast: boolean } | undefined, 'gone'>(table, {
    prepare: async () => {
      const item = await table.uncached().get(keys.record(workspaceId, 'conversation', id));
      if (!item || !isMeant(stateIn(item).conversation)) return undefined;
      const notifications = await referrersTo(table, workspaceId, 'handOver', id, handOversAtOnce);
      const handOvers = notifications.flatMap((one) => notificationKeys(workspaceId, one, id)).map(removeKey);
      // Those that are made meanwhile change the conversation.
      const isLast = notifications.length < handOversAtOnce;
      return { writes: isLast ? { ...erasureWrites(work, id, item), handOvers } : { handOvers }, isLast };
    },
    write: async (prepared) => {
      if (!prepared) return 'gone';
      return (await tryChange(table, prepared.writes)) ?? (prepared.isLast ? 'gone' : 'changed');
    },
  });
  await endVisits(table, workspaceId, id);
}

const notificationKeys = (workspaceId: string, id: string, conversationId: string): Key[] => [
  keys.record(workspaceId, 'notification', id),
  ...[prefixOf('handOver', conversationId), misplacedPrefix].map((prefix) =>
    keys.slug(workspaceId, 'notification', `${prefix}${id}`),
  ),
];

function erasureWrites({ workspaceId, author }: ErasedCustomer, id: string, item: Item): Writes {
  const { customerId } = stateIn(item).conversation;
  return {
    ...conversationWrites(workspaceId, { id, item, after: undefined, revision: '' }),
    event: eventWrite({ workspaceId }, { kind: 'conversations', recordId: id, action: 'deleted', ...author }),
    contents: contentsDue({ workspaceId, conversationId: id, customerId, isErased: true }, later()),
  };
}

/**
 * Ends the tokens of a conversation's visitors, and removes their recorded answers. What is made meanwhile goes with the
 * contents.
 */
async function endVisits(table: Table, workspaceId: string, conversationId: string): Promise<void> {
  const pk = messagingKeys.ofVisitors(workspaceId, conversationId);
  // `answer#` and `token#`, but not the notes of files: those tell which are to be removed.
  for (const start of ['answer', 'token']) {
    const notes = table.uncached().query({ pk, from: `${start}#`, to: `${start}$` });
    for await (const some of inGroups(notes, referrersPerPage / 2)) {
      await repeatTransaction(table, { items: [...notedBy(workspaceId, some), ...some].map(removeKey) });
    }
  }
}

/** Removes the recorded answers to writes of the customer. */
async function removeAnswers(table: Table, { workspaceId, customerId }: ErasedCustomer): Promise<void> {
  const notes = table.uncached().query(messagingKeys.answersAbout(workspaceId, customerId));
  for await (const some of inGroups(notes, referrersPerPage / 2)) {
    const records = some.map(({ sk }) => keys.idempotencyRecord(workspaceId, sk.slice(sk.lastIndexOf('#') + 1)));
    await repeatTransaction(table, { items: [...records, ...some].map(removeKey) });
  }
}
