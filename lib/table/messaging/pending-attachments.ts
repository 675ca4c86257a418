import { noteOfAnswer } from '../access/idempotency-records.ts';
import { isMade } from '../dynamodb/is-made.ts';
import { ConditionFailed } from '../errors.ts';
import { giveUp } from '../give-up.ts';
import { keys } from '../keys.ts';
import { newItem } from '../stored-item.ts';
import type { Table, TransactItem } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';
import { messagingKeys } from './keys.ts';
import { type AnnouncedAttachment, keyOfPending, type PendingAttachment, pendingItem } from './pending-attachment.ts';

/** The size of an object in the bucket, in bytes; undefined if there is none. */
export type ObjectSize = (s3Key: string) => Promise<number | undefined>;

/**
 * The announced attachments of all workspaces. Each is announced before its first byte is written. It leaves this list
 * in the transaction that stores it, or after its bytes are removed from the bucket. It is first marked as given up, so
 * that it cannot be both stored and removed.
 */
export class PendingAttachments {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Announces all of them or none.
   * @param idempotency the first write of the transaction
   * @throws ConditionFailed of `idempotency`, Unavailable
   */
  announce(pending: readonly PendingAttachment[], idempotency?: TransactItem): Promise<void> {
    const [only, ...others] = pending;
    // A transaction would cost twice as much.
    if (only && others.length === 0 && !idempotency) return this.#table.put(pendingItem(only));
    const announcements = pending.map((each) => ({ Put: { Item: pendingItem(each) } }));
    return repeatTransaction(this.#table, { idempotency, announcements, notes: notesOf(pending, idempotency) });
  }

  /**
   * Makes attachments readable, all of them or none.
   * @param idempotency the first write of the transaction
   * @throws ConditionFailed if one was given up, or the condition of `idempotency` fails; of `conversation` if that is gone
   */
  async store(pending: readonly PendingAttachment[], idempotency?: TransactItem): Promise<void> {
    await this.#requireConversations(pending);
    const attachments = pending.flatMap(storing);
    try {
      await repeatTransaction(this.#table, { idempotency, attachments, notes: notesOf(pending, idempotency) });
    } catch (error) {
      // Another call may have stored them.
      if (!(error instanceof ConditionFailed) || !(await this.#areStored(pending))) throw error;
    }
  }

  /**
   * Stores a file of a direct upload that has arrived. Its object exists completely or not at all, and must have the
   * announced size.
   * @returns whether it is stored
   */
  async storeArrived(announced: AnnouncedAttachment, objectSize: ObjectSize): Promise<boolean> {
    const { attachment, direct, givenUp } = announced;
    if (!direct || givenUp || (await objectSize(attachment.s3Key)) !== attachment.size) return false;
    return isMade(this.store([announced]));
  }

  /**
   * Gives an attachment up, so that neither it nor others announced with it can be stored.
   * @returns false if it is stored already
   */
  async giveUp(pending: PendingAttachment): Promise<boolean> {
    await giveUp(this.#table, keyOfPending(pending));
    // Its announcement proves nothing: a late first try may announce a stored attachment again.
    return !(await this.#areStored([pending]));
  }

  /** Call this when they are stored, or after removing their objects from the bucket. */
  forget(pending: readonly PendingAttachment[]): Promise<void> {
    return repeatTransaction(this.#table, {
      attachments: pending.map((each) => ({ Delete: { Key: keyOfPending(each) } })),
    });
  }

  /** A file of a conversation that was removed meanwhile is given up. @throws ConditionFailed */
  async #requireConversations(pending: readonly PendingAttachment[]): Promise<void> {
    const reads = this.#table.uncached();
    const owners = ownersOf(pending).map(([id, workspaceId]) => keys.record(workspaceId, 'conversation', id));
    const found = await Promise.all(owners.map((key) => reads.get(key)));
    if (found.includes(undefined)) throw new ConditionFailed(undefined, 'conversation');
  }

  async #areStored(pending: readonly PendingAttachment[]): Promise<boolean> {
    const reads = this.#table.uncached();
    const records = pending.map(({ workspaceId, attachment }) => keys.record(workspaceId, 'attachment', attachment.id));
    const found = await Promise.all(records.map((key) => reads.get(key)));
    return found.every((item) => item !== undefined);
  }
}

/** The writes of one attachment: its record, its note for the visitor, and the end of its announcement. */
function storing(pending: PendingAttachment): TransactItem[] {
  const { workspaceId, attachment, visitorOf } = pending;
  const isAnnounced = 'attribute_exists(pk) AND attribute_not_exists(givenUp)';
  const note = visitorOf !== undefined && messagingKeys.uploadedFile(workspaceId, visitorOf, attachment.id);
  return [
    { Put: { Item: newItem(workspaceId, 'attachment', attachment) } },
    ...(note ? [{ Put: { Item: note } }] : []),
    { Delete: { Key: keyOfPending(pending), ConditionExpression: isAnnounced } },
  ];
}

/** The conversations whose visitors upload, each with its workspace. */
const ownersOf = (pending: readonly PendingAttachment[]): (readonly [id: string, workspaceId: string])[] => [
  ...new Map(
    pending.flatMap(({ workspaceId, visitorOf }) =>
      visitorOf === undefined ? [] : [[visitorOf, workspaceId] as const],
    ),
  ),
];

/** The recorded answer has the names of the files. */
const notesOf = (pending: readonly PendingAttachment[], idempotency: TransactItem | undefined): TransactItem[] =>
  ownersOf(pending).flatMap(([id, workspaceId]) =>
    noteOfAnswer(idempotency, (hash) => messagingKeys.answerTo(workspaceId, id, hash)),
  );
