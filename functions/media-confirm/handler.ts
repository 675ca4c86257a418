import { imageBytesMax, imageKey } from '#lib/domain/files/public-image.ts';
import { readWholeFile } from '#lib/files/read-file.ts';
import { api } from '#lib/http/api.ts';
import { notFound } from '#lib/http/errors.ts';
import { type ImageFile, readImageFile } from '#lib/media/image-file.ts';
import { imageView } from '#lib/media/image-view.ts';
import { imageAudit } from '#lib/media/media-request.ts';
import { notArrived } from '#lib/media/refusals.ts';
import { imageOf, writeImage } from '#lib/media/store-image.ts';
import { ConditionFailed } from '#lib/table/errors.ts';
import { Images } from '#lib/table/media/images.ts';
import { endpoint } from './endpoint.ts';

export const publishMilliseconds = 2_500;

/** The sender can write the object only once, so the checked content cannot change later. */
export const handler = api(endpoint, {
  handle: async ({ params: { id }, table, tableFor, principal, requestId, logDetails }) => {
    logDetails['imageId'] = id;
    const { workspaceId } = principal;
    const images = new Images(table, principal);
    const [published, pending] = await Promise.all([images.find(id), images.findPending(id)]);
    if (published) return { body: imageView(published) };
    if (!pending) throw notFound('Image');
    // The bucket took the announced size only; an earlier confirmation may have left a smaller object.
    const sent = await readWholeFile(imageKey(workspaceId, id), imageBytesMax);
    if (!sent) throw notArrived();
    const file = readImageFile(sent);
    const image = imageOf(workspaceId, id, file);
    const written = isSame(sent, file) ? undefined : await writeImage(image, file);
    const later = new Images(tableFor(publishMilliseconds), principal);
    try {
      await later.publish(image, imageAudit({ principal, requestId }, 'create', id));
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // The image was given up or removed in the meantime, perhaps before its object was written again.
      await written?.discard();
      throw notFound('Image');
    }
    return { body: imageView(image) };
  },
});

const isSame = (sent: Buffer, { bytes, size }: ImageFile): boolean =>
  size === sent.length && Buffer.concat(bytes).equals(sent);
