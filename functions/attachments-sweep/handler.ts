import type { Context, ScheduledEvent } from 'aws-lambda';
import { imageKey } from '#lib/domain/files/public-image.ts';
import { type DueWork, dueWorker } from '#lib/due/due-worker.ts';
import { objectSize } from '#lib/files/read-file.ts';
import { removeFile } from '#lib/files/remove-file.ts';
import { logWork } from '#lib/http/work-log.ts';
import { giveUp } from '#lib/table/give-up.ts';
import type { PendingImage } from '#lib/table/media/images.ts';
import { announcedIn } from '#lib/table/messaging/pending-attachment.ts';
import { PendingAttachments } from '#lib/table/messaging/pending-attachments.ts';

/**
 * Announced attachments whose time is over. A direct upload that has arrived is stored; any other is removed with all
 * that it left in the bucket. It stays where it is until then, because its key is made from its id.
 */
export const announcedFile: DueWork = {
  type: 'upload',
  name: 'The removal of an announced file',
  lanes: 8,
  neededMilliseconds: 15_000,

  async handle(item, { table }) {
    const announced = announcedIn(item);
    const { workspaceId, attachment } = announced;
    const pending = new PendingAttachments(table);
    if (await pending.storeArrived(announced, objectSize)) {
      logWork('info', 'An announced file was stored.', { workspaceId, attachmentId: attachment.id });
      return 'done';
    }
    // The table is marked first, so that the attachment cannot be stored while its object is removed.
    if (!(await pending.giveUp(announced))) return 'done';
    await removeFile(attachment.s3Key);
    logWork('info', 'An announced file was removed.', { workspaceId, attachmentId: attachment.id });
    return 'done';
  },
};

/** Images that were not confirmed for a day, and deleted ones: their objects are removed. */
export const leftImage: DueWork<PendingImage> = {
  type: 'image',
  name: 'The removal of an image',
  lanes: 8,
  neededMilliseconds: 15_000,

  async handle(image, { table }) {
    const { workspaceId, id } = image;
    // Marked first, so that it cannot become public while its object is removed.
    if (!image.givenUp && !(await giveUp(table, image))) return 'done';
    await removeFile(imageKey(workspaceId, id));
    logWork('info', 'An image was removed.', { workspaceId, imageId: id });
    return 'done';
  },
};

const workers = [dueWorker(announcedFile), dueWorker(leftImage)];

/** Runs on a schedule. */
export async function handler(
  event: ScheduledEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<void> {
  await Promise.all(workers.map((work) => work(event, context)));
}
