import { createHash } from 'node:crypto';
import { receiveFiles, requireMultipart, type UploadKind } from '#lib/attachments/receive-files.ts';
import { fileTooLarge } from '#lib/attachments/refusals.ts';
import { idempotentCall, mediaScope, tableMilliseconds, type UploadRequest } from '#lib/attachments/upload-request.ts';
import { imageBytesMax, imageKey, type PublicImage, timeOfImage } from '#lib/domain/files/public-image.ts';
import { timedId } from '#lib/domain/text/timed-id.ts';
import { FileWriter, partBytes } from '#lib/files/write-file.ts';
import { asRecorded, type ClaimWithAnswer, runIdempotent } from '#lib/idempotency/run-idempotent.ts';
import { Images } from '#lib/table/media/images.ts';
import { type ImageFile, readImageFile } from './image-file.ts';
import { imageAudit, type MediaRequest } from './media-request.ts';

type ImageStore = MediaRequest & Omit<UploadRequest, 'incoming'>;

const imageUploads: UploadKind = {
  announcedAt: '/api/v1/manage/media/announce',
  filesMax: 1,
  fileBytesMax: imageBytesMax,
  // An image with its multipart framing.
  bodyBytesMax: imageBytesMax + 1_048_576,
  streamTooLarge: () => fileTooLarge(imageBytesMax),
};

/** The one file of a multipart body, in memory. @throws 415, 413, 400 */
export async function receiveImage(request: UploadRequest): Promise<Buffer> {
  requireMultipart(request.incoming, imageUploads);
  const chunks: Uint8Array[] = [];
  await receiveFiles(request, imageUploads, {
    open: () => {},
    write: (chunk) => void chunks.push(chunk),
    close: () => {},
  });
  return Buffer.concat(chunks);
}

/**
 * Checks and stores an image without its metadata, once for each Idempotency-Key.
 * @throws 400, 409, 422, Unavailable; then nothing is public
 */
export async function storeImage(sent: Buffer, store: ImageStore): Promise<PublicImage> {
  const file = readImageFile(sent);
  return runIdempotent<PublicImage>(idempotentCall(store), mediaScope, {
    request: () => ['sent', createHash('sha256').update(sent).digest('hex')],
    execute: ({ claimWithAnswer }) => publish(file, store, claimWithAnswer),
    replay: asRecorded,
  });
}

/**
 * Announces an image in the table, writes it into the bucket, then makes it public. If the process dies in between, or
 * another call with the key was first, the announcement remains. The sweep removes it with its object.
 * @throws ConditionFailed if the Idempotency-Key is used, Unavailable
 */
async function publish(
  file: ImageFile,
  store: ImageStore,
  claimWithAnswer: ClaimWithAnswer<PublicImage>,
): Promise<PublicImage> {
  const { principal, tableFor } = store;
  const image = imageOf(principal.workspaceId, timedId('img'), file);
  // A file of 10 MB takes longer than a table call, so each step has its own time.
  await new Images(tableFor(tableMilliseconds), principal).announce(image);
  await writeImage(image, file);
  await new Images(tableFor(tableMilliseconds), principal).publish(image, {
    idempotency: claimWithAnswer(image),
    ...imageAudit(store, 'create', image.id),
  });
  return image;
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
