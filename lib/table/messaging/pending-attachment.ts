import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { timeOfAttachment } from '#lib/domain/messaging/attachment-id.ts';
import { keys } from '../keys.ts';
import type { Item, Key } from '../schema.ts';
import type { TransactItem } from '../table.ts';

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

export const pendingItem = (pending: PendingAttachment): Item => ({
  ...keyOfPending(pending),
  workspaceId: pending.workspaceId,
  record: JSON.stringify(pending.attachment),
  direct: pending.direct,
  ...(pending.visitorOf !== undefined && { visitorOf: pending.visitorOf }),
});

export function keyOfPending({ workspaceId, attachment, key: found }: PendingAttachment): Key {
  const key = found ?? pendingKey(workspaceId, attachment.id);
  if (!key) throw new Error('An attachment is announced under an id that is made here.');
  return key;
}
