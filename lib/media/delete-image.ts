import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import { notFound } from '#lib/http/errors.ts';
import { inUse } from '#lib/manage/refusals.ts';
import { ConditionFailed } from '#lib/table/errors.ts';
import { imageReferrers } from '#lib/table/media/image-referrers.ts';
import { Images } from '#lib/table/media/images.ts';
import { type ImageChange, imageAudit } from './media-request.ts';

/** The time limit for reading all records of a large workspace. A failure is noticed long before. */
export const lookMilliseconds = 18_000;
export const removeMilliseconds = 2_500;

/**
 * Removes an image that no record refers to. Its URL is then 404, but caches may keep a copy.
 * @throws 404, 409 in_use, Unavailable
 */
export async function deleteImage(id: string, { table, tableFor, ...request }: ImageChange): Promise<void> {
  const image = await new Images(table, request.principal).find(id);
  if (!image) throw notFound('Image');
  const referrers = await imageReferrers(tableFor(lookMilliseconds), request.principal, id);
  if (referrers.length > 0) throw inUse('image', referrers, effectivePermissions(request.principal));
  const later = tableFor(removeMilliseconds);
  try {
    await new Images(later, request.principal).remove(image, imageAudit(request, 'delete', id), Date.now());
  } catch (error) {
    throw error instanceof ConditionFailed ? notFound('Image') : error;
  }
}
