import type { AnnouncedFile } from '#lib/attachments/announced-files.ts';
import { limitSentBytes } from '#lib/attachments/announcement-limit.ts';
import { assetBaseUrl } from '#lib/attachments/settings.ts';
import { extensionOf } from '#lib/domain/files/file-name.ts';
import { mediaTypeOf } from '#lib/domain/files/media-type.ts';
import { imageKey, imageUrl, timeOfImage } from '#lib/domain/files/public-image.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { presignedSeconds, presignUpload } from '#lib/files/write-presigned.ts';
import { asInFlight, requireSameRequest } from '#lib/http/idempotency.ts';
import type { RecordedOutcome } from '#lib/table/access/idempotency-records.ts';
import { Images } from '#lib/table/media/images.ts';
import { newImageId } from './new-image.ts';
import type { ImageStore } from './store-image.ts';

const tableMilliseconds = 2_500;
/** During this time, a retry gets the same upload URL. */
const uploadMilliseconds = presignedSeconds * 1_000;

/**
 * Announces an image that the caller sends to the bucket. It becomes public when it is confirmed (confirm-image.ts).
 * @throws 409, 422, 429, Unavailable
 */
export async function announceImage(file: AnnouncedFile, store: ImageStore) {
  const { workspaceId } = store.principal;
  const id = await announcedId(file, store);
  const createdAt = timeOfImage(id) ?? 0;
  const { type } = mediaTypeOf(file.type, extensionOf(file.name));
  const target = { s3Key: imageKey(workspaceId, id), type };
  const upload = await presignUpload(target, file.size, new Date(createdAt));
  const expiresAt = new Date(createdAt + uploadMilliseconds).toISOString();
  return { id, url: imageUrl(assetBaseUrl(), id), upload: { ...upload, expiresAt } };
}

async function announcedId(file: AnnouncedFile, { principal, record, tableFor }: ImageStore): Promise<string> {
  const table = tableFor(tableMilliseconds);
  const requestHash = jsonHash(['announced', file]);
  const former = await record?.find();
  if (former && isUsable(former, requestHash)) return former.answer ?? '';
  await limitSentBytes(table, principal, [file.size]);
  const id = newImageId();
  try {
    const additionalWrites = record && { idempotency: record.write(requestHash, id, former) };
    await new Images(table, principal).announce({ id, size: file.size }, additionalWrites);
    return id;
  } catch (error) {
    const first = record?.outcomeIn(error);
    if (!first) throw asInFlight(error);
    requireSameRequest(first, requestHash);
    return first.answer ?? '';
  }
}

/**
 * Whether the upload URL of a recorded announcement is still valid.
 * @throws 422 when the key was used for another announcement
 */
function isUsable(outcome: RecordedOutcome, requestHash: string): boolean {
  requireSameRequest(outcome, requestHash);
  return Date.now() < (timeOfImage(outcome.answer ?? '') ?? 0) + uploadMilliseconds;
}
