import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import { api } from '#lib/http/api.ts';
import { notFound } from '#lib/http/errors.ts';
import { inUse } from '#lib/manage/in-use.ts';
import { imageAudit } from '#lib/media/media-request.ts';
import { ConditionFailed } from '#lib/table/errors.ts';
import { imageReferrers } from '#lib/table/media/image-referrers.ts';
import { Images } from '#lib/table/media/images.ts';
import { endpoint } from './endpoint.ts';

/** The time limit for reading all records of a large workspace. A failure is noticed long before. */
export const lookMilliseconds = 18_000;
export const removeMilliseconds = 2_500;

/** The URL of a removed image is 404, but caches may keep a copy. */
export const handler = api(endpoint, {
  handle: async ({ params: { id }, table, tableFor, principal, requestId, logDetails }) => {
    logDetails['imageId'] = id;
    const image = await new Images(table, principal).find(id);
    if (!image) throw notFound('Image');
    const referrers = await imageReferrers(tableFor(lookMilliseconds), principal, id);
    if (referrers.length > 0) throw inUse('image', referrers, effectivePermissions(principal));
    const later = new Images(tableFor(removeMilliseconds), principal);
    try {
      await later.remove(image, imageAudit({ principal, requestId }, 'delete', id), Date.now());
    } catch (error) {
      throw error instanceof ConditionFailed ? notFound('Image') : error;
    }
    return { empty: true };
  },
});
