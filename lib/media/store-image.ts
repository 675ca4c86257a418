import { createHash } from 'node:crypto';
import { tableMilliseconds } from '#lib/attachments/upload-request.ts';
import { imageKey, type PublicImage, timeOfImage } from '#lib/domain/files/public-image.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { FileWriter, partBytes } from '#lib/files/write-file.ts';
import { asInFlight, requireSameRequest } from '#lib/http/idempotency.ts';
import type { IdempotencyRecord } from '#lib/table/access/idempotency-records.ts';
import { Images } from '#lib/table/media/images.ts';
import type { Table } from '#lib/table/table.ts';
import { type ImageFile, readImageFile } from './image-file.ts';
import { imageAudit, type MediaRequest } from './media-request.ts';
import { newImageId } from './new-image.ts';

export interface ImageStore extends MediaRequest {
  readonly tableFor: (milliseconds: number) => Table;
  /** The record of the Idempotency-Key, if one was sent. */
  readonly record: IdempotencyRecord | undefined;
}

/**
 * Checks and stores an image without its metadata: announced in the table, written into the bucket, then made public. A process that dies in
 * between leaves an announcement, which the sweep removes with its object.
 * @throws 400, 409, 422, Unavailable; then nothing is public
 */
export async function storeImage(sent: Buffer, store: ImageStore): Promise<PublicImage> {
  const file = readImageFile(sent);
  const { principal, record, tableFor } = store;
  const requestHash = jsonHash(['sent', createHash('sha256').update(sent).digest('hex')]);
  const outcome = await record?.find();
  if (outcome) {
    requireSameRequest(outcome, requestHash);
    return JSON.parse(outcome.answer ?? '{}') as PublicImage;
  }
  const image = imageOf(principal.workspaceId, newImageId(), file);
  // A file of 10 MB takes longer than a table call, so each step has its own time.
  const table = tableFor(tableMilliseconds);
  await new Images(table, principal).announce(image);
  await writeImage(image, file);
  try {
    const later = tableFor(tableMilliseconds);
    await new Images(later, principal).publish(image, {
      idempotency: record?.write(requestHash, JSON.stringify(image)),
      ...imageAudit(store, 'create', image.id),
    });
    return image;
  } catch (error) {
    // Another call with the same key was first. Its image is the answer, and the sweep removes this one.
    const first = record?.outcomeIn(error);
    if (!first) throw asInFlight(error);
    requireSameRequest(first, requestHash);
    return JSON.parse(first.answer ?? '{}') as PublicImage;
  }
}

export const imageOf = (workspaceId: string, id: string, { type, size, width, height }: ImageFile): PublicImage => ({
  id,
  s3Key: imageKey(workspaceId, id),
  type,
  size,
  width,
  height,
  createdAt: new Date(timeOfImage(id) ?? 0).toISOString(),
});

/** @returns the writer, which can remove the object again @throws Unavailable */
export async function writeImage(image: PublicImage, { bytes }: ImageFile): Promise<FileWriter> {
  const writer = new FileWriter(image, Buffer.allocUnsafeSlow(partBytes), Promise.resolve());
  for (const piece of bytes) await writer.write(piece);
  await writer.finish();
  return writer;
}
