import { imageShards, objectOf, type PendingImage, PendingImages } from '#lib/table/media/pending-images.ts';
import type { Table } from '#lib/table/table.ts';

const concurrency = 8;
/** An image that is still not removed after this time needs an operator. */
const overdueMilliseconds = 60 * 60_000;

export interface MediaSweep {
  removed: number;
  /** Left for the next sweep, because the table or the bucket did not answer. */
  failed: number;
  /** The failed ones that are more than an hour overdue. */
  overdue: number;
}

/**
 * Removes the objects of images that were not confirmed for a day, and of images that were deleted.
 * @param now as an ISO time
 * @param isTimeLeft whether there is time for another image
 */
export async function sweepImages(
  table: Table,
  removeFile: (s3Key: string) => Promise<void>,
  now: string,
  isTimeLeft: () => boolean,
): Promise<MediaSweep> {
  const sweep: MediaSweep = { removed: 0, failed: 0, overdue: 0 };
  const pending = new PendingImages(table);
  const overdueBefore = new Date(Date.parse(now) - overdueMilliseconds).toISOString();
  const clear = async (image: PendingImage) => {
    try {
      // Marked first, so that it cannot become public while its object is removed.
      if (!(await pending.giveUp(image))) return;
      await removeFile(objectOf(image));
      await pending.forget(image);
      sweep.removed++;
    } catch {
      sweep.failed++;
      if (image.removedAt < overdueBefore) sweep.overdue++;
    }
  };
  for (const shard of imageShards) {
    let batch: Promise<void>[] = [];
    for await (const image of pending.list(shard)) {
      // The queue is ordered by the time of removal.
      if (image.removedAt >= now || !isTimeLeft()) break;
      batch.push(clear(image));
      if (batch.length < concurrency) continue;
      await Promise.all(batch);
      batch = [];
    }
    await Promise.all(batch);
  }
  return sweep;
}
