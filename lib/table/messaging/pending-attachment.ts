import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { timeOfAttachment } from '#lib/domain/messaging/attachment-key.ts';
import { dueKey } from '../due/keys.ts';
import type { Item, Key, TransactItem, WorkspaceScope } from '../table.ts';

/** An upload and all its writes end long before this, so that no upload in progress is given up. */
const patienceMilliseconds = 30 * 60_000;

/**
 * An announced attachment. Its bytes may be in the bucket or on their way, but callers cannot read it yet. It is due work
 * at the time at which it is given up.
 */
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
}

/** @param removedAt the time at which a stored attachment was deleted */
export function pendingKey(workspaceId: string, id: string, removedAt = 0): Key {
  const dueAt = Math.max(removedAt, (timeOfAttachment(id) ?? 0) + patienceMilliseconds);
  return dueKey({ type: 'upload', group: workspaceId, id, dueAt });
}

export const announcedIn = (item: Item): AnnouncedAttachment => ({
  workspaceId: String(item['workspaceId']),
  attachment: JSON.parse(String(item['record'])) as Attachment,
  direct: item['direct'] === true,
  ...(typeof item['visitorOf'] === 'string' && { visitorOf: item['visitorOf'] }),
  givenUp: item['givenUp'] === true,
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
  const key = pendingKey(workspaceId, attachment.id, now);
  const record = JSON.stringify(attachment);
  return { Put: { Item: { ...key, workspaceId, record, direct: false, givenUp: true } } };
}

export const pendingItem = (pending: PendingAttachment): Item => ({
  ...keyOfPending(pending),
  workspaceId: pending.workspaceId,
  record: JSON.stringify(pending.attachment),
  direct: pending.direct,
  ...(pending.visitorOf !== undefined && { visitorOf: pending.visitorOf }),
});

export const keyOfPending = ({ workspaceId, attachment, key }: PendingAttachment): Key =>
  key ?? pendingKey(workspaceId, attachment.id);
