import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { timeOfAttachment } from '#lib/domain/messaging/attachment-id.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import { newItem } from '../record-of.ts';
import type { Item, Key } from '../schema.ts';
import type { Table, TransactItem } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';
import { uploadedFileItem } from './conversation-files.ts';

/** An upload and all its writes end long before this, so that no upload in progress is given up. */
const patienceMilliseconds = 30 * 60_000;

/** Announced attachments are spread over a few partitions, so that many can be written at once. */
export const pendingShards = [0, 1, 2, 3] as const;

/** An announced attachment. Its bytes may be in the bucket or on their way, but callers cannot read it yet. */
export interface PendingAttachment {
  readonly workspaceId: string;
  /** The final size of a file that passes through the service is known only at its end. */
  readonly attachment: Attachment;
  /** Whether the caller sends the bytes to the bucket directly. */
  readonly direct: boolean;
  /** The conversation of the visitor who uploads it. */
  readonly visitorOf?: string | undefined;
  /** Its key, if it was read from the table. */
  readonly key?: Key;
}

/** The stored form of an announced attachment. */
export interface AnnouncedAttachment extends PendingAttachment {
  /** Whether it was given up, so that it can no longer be stored. */
  readonly givenUp: boolean;
  /** The time at which it is to be given up, ISO 8601. */
  readonly givenUpAt: string;
}

/** Access pattern U1. @returns undefined for an id that this service did not make */
export function pendingKey(workspaceId: string, id: string): Key | undefined {
  const createdAt = timeOfAttachment(id);
  if (createdAt === undefined) return undefined;
  const givenUpAt = new Date(createdAt + patienceMilliseconds).toISOString();
  const shard = id.charCodeAt(id.length - 1) % pendingShards.length;
  return keys.pendingAttachment(shard, givenUpAt, workspaceId, id);
}

export const announcedIn = (item: Item): AnnouncedAttachment => ({
  workspaceId: String(item['workspaceId']),
  attachment: JSON.parse(String(item['record'])) as Attachment,
  direct: item['direct'] === true,
  ...(typeof item['visitorOf'] === 'string' && { visitorOf: item['visitorOf'] }),
  givenUp: item['givenUp'] === true,
  givenUpAt: item.sk.split('#', 1)[0] ?? '',
  key: { pk: item.pk, sk: item.sk },
});

/**
 * The write that lets the sweep remove the object of a deleted attachment. The sweep waits, because bytes of a direct
 * upload may still arrive.
 */
export function orphanedObjectWrite(
  { workspaceId }: WorkspaceScope,
  attachment: Attachment,
  now: number,
): TransactItem {
  const { id } = attachment;
  const givenUpAt = Math.max(now, (timeOfAttachment(id) ?? 0) + patienceMilliseconds);
  const shard = id.charCodeAt(id.length - 1) % pendingShards.length;
  const key = keys.pendingAttachment(shard, new Date(givenUpAt).toISOString(), workspaceId, id);
  const record = JSON.stringify(attachment);
  return { Put: { Item: { ...key, workspaceId, record, direct: false, givenUp: true } } };
}

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
    if (only && others.length === 0 && !idempotency) return this.#table.put(itemOf(only));
    const announcements = pending.map((each) => ({ Put: { Item: itemOf(each) } }));
    return repeatTransaction(this.#table, { idempotency, announcements });
  }

  /**
   * Makes attachments readable, all of them or none.
   * @param idempotency the first write of the transaction
   * @throws ConditionFailed if one was given up, or the condition of `idempotency` fails
   */
  async store(pending: readonly PendingAttachment[], idempotency?: TransactItem): Promise<void> {
    const attachments = pending.flatMap((each) => [
      this.#putRecord(each),
      ...this.#noteVisitor(each),
      this.#removePending(each),
    ]);
    try {
      await repeatTransaction(this.#table, { idempotency, attachments });
    } catch (error) {
      // The client repeats a transaction whose reply was lost. The retry then finds nothing announced.
      if (!(error instanceof ConditionFailed) || !(await this.#areStored(pending))) throw error;
    }
  }

  /**
   * Gives an attachment up, so that neither it nor others announced with it can be stored.
   * @returns false if it is stored already
   */
  async giveUp(pending: PendingAttachment): Promise<boolean> {
    try {
      await this.#table.update(keyOf(pending), {
        UpdateExpression: 'SET givenUp = :true',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':true': true },
      });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
    // Its announcement proves nothing: a late first try may announce a stored attachment again.
    return !(await this.#areStored([pending]));
  }

  /** Call this when they are stored, or after removing their objects from the bucket. */
  forget(pending: readonly PendingAttachment[]): Promise<void> {
    return repeatTransaction(this.#table, {
      attachments: pending.map((each) => ({ Delete: { Key: keyOf(each) } })),
    });
  }

  /** The announced files of a shard, in the order of their expiry. */
  async *list(shard: number): AsyncGenerator<AnnouncedAttachment> {
    for await (const item of this.#table.query({ pk: keys.pendingAttachments(shard) })) yield announcedIn(item);
  }

  #putRecord({ workspaceId, attachment }: PendingAttachment): TransactItem {
    return { Put: { Item: newItem(workspaceId, 'attachment', attachment) } };
  }

  #noteVisitor({ workspaceId, attachment, visitorOf }: PendingAttachment): TransactItem[] {
    if (visitorOf === undefined) return [];
    return [{ Put: { Item: uploadedFileItem(workspaceId, visitorOf, attachment.id) } }];
  }

  #removePending(pending: PendingAttachment): TransactItem {
    return {
      Delete: {
        Key: keyOf(pending),
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(givenUp)',
      },
    };
  }

  async #areStored(pending: readonly PendingAttachment[]): Promise<boolean> {
    const reads = this.#table.uncached();
    const records = pending.map(({ workspaceId, attachment }) => keys.record(workspaceId, 'attachment', attachment.id));
    const found = await Promise.all(records.map((key) => reads.get(key)));
    return found.every((item) => item !== undefined);
  }
}

const itemOf = (pending: PendingAttachment): Item => ({
  ...keyOf(pending),
  workspaceId: pending.workspaceId,
  record: JSON.stringify(pending.attachment),
  direct: pending.direct,
  ...(pending.visitorOf !== undefined && { visitorOf: pending.visitorOf }),
});

function keyOf({ workspaceId, attachment, key: found }: PendingAttachment): Key {
  const key = found ?? pendingKey(workspaceId, attachment.id);
  if (!key) throw new Error('An attachment is announced under an id that is made here.');
  return key;
}
