import { type FileAnnouncement, readAnnouncedFiles } from '#lib/attachments/announced-files.ts';
import { limitSentBytes } from '#lib/attachments/announcement-limit.ts';
import { assetBaseUrl } from '#lib/attachments/settings.ts';
import { recordOf, tableMilliseconds } from '#lib/attachments/upload-request.ts';
import { extensionOf } from '#lib/domain/files/file-name.ts';
import { mediaTypeOf } from '#lib/domain/files/media-type.ts';
import { imageBytesMax, imageKey, imageUrl, timeOfImage } from '#lib/domain/files/public-image.ts';
import { jsonHash } from '#lib/domain/text/json-hash.ts';
import { presignedSeconds, presignUpload } from '#lib/files/write-presigned.ts';
import { api, type ReceivingRequestOf } from '#lib/http/api.ts';
import { asInFlight, requireSameRequest } from '#lib/http/idempotency.ts';
import { newImageId } from '#lib/media/new-image.ts';
import type { RecordedOutcome } from '#lib/table/access/idempotency-records.ts';
import { Images } from '#lib/table/media/images.ts';
import { endpoint } from './endpoint.ts';

/** During this time, a retry gets the same upload URL. */
const uploadMilliseconds = presignedSeconds * 1_000;

/** The image becomes public when it is confirmed (media-confirm). */
export const handler = api(endpoint, {
  receive: async (request) => {
    const { workspaceId } = request.principal;
    const [file] = await readAnnouncedFiles(request, { filesMax: 1, bytesMax: imageBytesMax });
    if (!file) throw new Error('An announcement has one file.');
    const id = await announcedId(file, request);
    request.logDetails['imageId'] = id;
    const createdAt = timeOfImage(id) ?? 0;
    const { type } = mediaTypeOf(file.type, extensionOf(file.name));
    const upload = await presignUpload({ s3Key: imageKey(workspaceId, id), type }, file.size, new Date(createdAt));
    const expiresAt = new Date(createdAt + uploadMilliseconds).toISOString();
    return { body: { id, url: imageUrl(assetBaseUrl(), id), upload: { ...upload, expiresAt } } };
  },
});

/** @throws 409, 422, 429, Unavailable */
async function announcedId(file: FileAnnouncement, request: ReceivingRequestOf<typeof endpoint>): Promise<string> {
  const { principal, tableFor } = request;
  const table = tableFor(tableMilliseconds);
  const record = recordOf(request, 'media');
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
