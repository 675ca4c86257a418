import { ConditionFailed } from '#lib/table/errors.ts';
import type { ObjectSize } from '#lib/table/messaging/attachments.ts';
import { type AnnouncedAttachment, pendingShards } from '#lib/table/messaging/pending-attachment.ts';
import { PendingAttachments } from '#lib/table/messaging/pending-attachments.ts';
import type { Table } from '#lib/table/table.ts';

const concurrency = 8;

/** Time to settle one attachment when the bucket is slow. */
export const attachmentMillisecondsMax = 15_000;

/** An attachment that is still not removed after this time needs an operator. */
const overdueMilliseconds = 60 * 60_000;

/** The bucket operations of a sweep. */
export interface SweepBucket {
  readonly objectSize: ObjectSize;
  /** Removes an object and its incomplete multipart uploads. */
  readonly removeFile: (s3Key: string) => Promise<void>;
}

/** The counts of a sweep. */
export interface Sweep {
  stored: number;
  removed: number;
  /** Left for the next sweep, because the table or the bucket did not answer. */
  failed: number;
  /** The failed ones that are more than an hour overdue. */
  overdue: number;
}

/**
 * Stores the direct uploads that have arrived. Removes expired ones, with everything they left in the bucket.
 * @param now as an ISO time
 * @param isTimeLeft whether there is time for another attachment
 */
export async function sweepAttachments(
  table: Table,
  bucket: SweepBucket,
  now: string,
  isTimeLeft: () => boolean,
): Promise<Sweep> {
  const sweep: Sweep = { stored: 0, removed: 0, failed: 0, overdue: 0 };
  const pending = new PendingAttachments(table);
  const overdueBefore = new Date(Date.parse(now) - overdueMilliseconds).toISOString();
  const settle = async (announced: AnnouncedAttachment) => {
    try {
      if (await storeArrived(pending, bucket, announced)) sweep.stored++;
      else if (announced.givenUpAt < now && (await giveUp(pending, bucket, announced))) sweep.removed++;
    } catch {
      sweep.failed++;
      if (announced.givenUpAt < overdueBefore) sweep.overdue++;
    }
  };
  for (const shard of pendingShards) {
    let batch: Promise<void>[] = [];
    for await (const announced of pending.list(shard)) {
      if (!isTimeLeft()) return sweep;
      if (!announced.direct && announced.givenUpAt >= now) continue;
      batch.push(settle(announced));
      if (batch.length < concurrency) continue;
      await Promise.all(batch);
      batch = [];
    }
    await Promise.all(batch);
  }
  return sweep;
}

async function storeArrived(
  pending: PendingAttachments,
  { objectSize }: SweepBucket,
  announced: AnnouncedAttachment,
): Promise<boolean> {
  const { attachment, direct, givenUp } = announced;
  if (!direct || givenUp || (await objectSize(attachment.s3Key)) !== attachment.size) return false;
  try {
    await pending.store([announced]);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** The table is marked first, so that the attachment cannot be stored while its object is removed. */
async function giveUp(
  pending: PendingAttachments,
  { removeFile }: SweepBucket,
  announced: AnnouncedAttachment,
): Promise<boolean> {
  const isRemoved = await pending.giveUp(announced);
  if (isRemoved) await removeFile(announced.attachment.s3Key);
  await pending.forget([announced]);
  return isRemoved;
}
