import type { Image } from '#lib/domain/files/image.ts';
import { imageBytesMax, imageKey } from '#lib/domain/files/public-image.ts';
import { readWholeFile } from '#lib/files/read-file.ts';
import { notFound } from '#lib/http/errors.ts';
import { ConditionFailed } from '#lib/table/errors.ts';
import { Images } from '#lib/table/media/images.ts';
import { type ImageFile, readImageFile } from './image-file.ts';
import { imageView } from './image-view.ts';
import { type ImageChange, imageAudit } from './media-request.ts';
import { notArrived } from './refusals.ts';
import { imageOf, writeImage } from './store-image.ts';

export const publishMilliseconds = 2_500;

/**
 * Checks the uploaded content of an announced image, takes out its metadata, and makes the image public. Its sender can
 * write the object only once, so the checked content cannot change later.
 * @throws 404, 409, 400, Unavailable; the image then stays private
 */
export async function confirmImage(id: string, { table, tableFor, ...request }: ImageChange): Promise<Image> {
  const { workspaceId } = request.principal;
  const images = new Images(table, request.principal);
  const [published, pending] = await Promise.all([images.find(id), images.findPending(id)]);
  if (published) return imageView(published);
  if (!pending) throw notFound('Image');
  // The bucket took the announced size only; an earlier confirmation may have left a smaller object.
  const sent = await readWholeFile(imageKey(workspaceId, id), imageBytesMax);
  if (!sent) throw notArrived();
  const file = readImageFile(sent);
  const image = imageOf(workspaceId, id, file);
  const written = isSame(sent, file) ? undefined : await writeImage(image, file);
  const later = tableFor(publishMilliseconds);
  try {
    await new Images(later, request.principal).publish(image, imageAudit(request, 'create', id));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // The image was given up or removed in the meantime, perhaps before its object was written again.
    await written?.discard();
    throw notFound('Image');
  }
  return imageView(image);
}

const isSame = (sent: Buffer, { bytes, size }: ImageFile): boolean =>
  size === sent.length && Buffer.concat(bytes).equals(sent);
