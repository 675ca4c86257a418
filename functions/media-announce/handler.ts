import { readAnnouncedFiles } from '#lib/attachments/announced-files.ts';
import { limitSentBytes } from '#lib/attachments/announcement-limit.ts';
import { assetBaseUrl } from '#lib/attachments/settings.ts';
import { idempotentCall, mediaScope, tableMilliseconds } from '#lib/attachments/upload-request.ts';
import { extensionOf } from '#lib/domain/files/file-name.ts';
import { mediaTypeOf } from '#lib/domain/files/media-type.ts';
import { imageBytesMax, imageKey, imageUrl, timeOfImage } from '#lib/domain/files/public-image.ts';
import { timedId } from '#lib/domain/text/timed-id.ts';
import { isUploadExpired, presignUpload } from '#lib/files/write-presigned.ts';
import { receivingApi } from '#lib/http/receiving-api.ts';
import { asRecorded, runIdempotent } from '#lib/idempotency/run-idempotent.ts';
import { Images } from '#lib/table/media/images.ts';
import { endpoint } from './endpoint.ts';

/** The image becomes public when it is confirmed (media-confirm). */
export const handler = receivingApi(endpoint, async (request) => {
  const { principal, tableFor } = request;
  const [file] = await readAnnouncedFiles(request, 1, imageBytesMax);
  if (!file) throw new Error('An announcement has one file.');
  const id = await runIdempotent<string>(idempotentCall(request), mediaScope, {
    request: () => ['announced', file],
    execute: async ({ claimWithAnswer }) => {
      const table = tableFor(tableMilliseconds);
      await limitSentBytes(table, principal, [file.size]);
      const id = timedId('img');
      await new Images(table, principal).announce({ id, size: file.size }, claimWithAnswer(id));
      return id;
    },
    replay: asRecorded,
    // A retry never gets an expired upload URL.
    isOver: (id) => isUploadExpired(announcedAt(id)),
  });
  request.logDetails['imageId'] = id;
  const { type } = mediaTypeOf(file.type, extensionOf(file.name));
  const target = { s3Key: imageKey(principal.workspaceId, id), type };
  const upload = await presignUpload(target, file.size, announcedAt(id));
  return { body: { id, url: imageUrl(assetBaseUrl(), id), upload } };
});

const announcedAt = (id: string): Date => new Date(timeOfImage(id) ?? 0);
