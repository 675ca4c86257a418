import type { Image } from '#lib/domain/files/image.ts';
import { imageKey } from '#lib/domain/files/public-image.ts';
import { readWholeFile } from '#lib/files/read-file.ts';
import { notFound } from '#lib/http/errors.ts';
import { ConditionFailed } from '#lib/table/errors.ts';
import { Images } from '#lib/table/media/images.ts';
import { readImageFile } from './image-file.ts';
import { imageView } from './image-view.ts';
import { type ImageChange, imageAudit } from './media-request.ts';
import { notAnImage, notArrived } from './refusals.ts';
import { imageOf } from './store-image.ts';

export const publishMilliseconds = 2_500;

/**
 * Checks the uploaded content of an announced image, and makes the image public. The object can be written only once,
 * so the checked content cannot change later.
 * @throws 404, 409, 400, Unavailable; the image then stays private
 */
export async function confirmImage(id: string, { table, tableFor, ...request }: ImageChange): Promise<Image> {
  const { workspaceId } = request.principal;
  const images = new Images(table, request.principal);
  const [published, pending] = await Promise.all([images.find(id), images.findPending(id)]);
  if (published) return imageView(published);
  if (!pending) throw notFound('Image');
  const bytes = await readWholeFile({ s3Key: imageKey(workspaceId, id), size: pending.size });
  if (!bytes) throw notArrived();
  const file = readImageFile(bytes);
  if (!file) throw notAnImage();
  const image = imageOf(workspaceId, id, file, bytes.length);
  const later = tableFor(publishMilliseconds);
  try {
    await new Images(later, request.principal).publish(image, imageAudit(request, 'create', id));
  } catch (error) {
    // The image was given up or removed in the meantime.
    throw error instanceof ConditionFailed ? notFound('Image') : error;
  }
  return imageView(image);
}
