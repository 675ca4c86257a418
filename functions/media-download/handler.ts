import { assetNotFound, readStored } from '#lib/attachments/read-asset.ts';
import { imageKey, type PublicImage, timeOfImage } from '#lib/domain/files/public-image.ts';
import { publicStreamApi } from '#lib/http/stream-api.ts';
import { keys } from '#lib/table/keys.ts';
import { recordOf } from '#lib/table/table.ts';
import { endpoint } from './endpoint.ts';

/** Unconfirmed images are not found. Access pattern P1. */
export const handler = publicStreamApi(
  endpoint,
  async ({ table, params: { key: id }, method, headers, logDetails }) => {
    logDetails['imageId'] = id;
    const item = timeOfImage(id) === undefined ? undefined : await table.get(keys.publicImage(id));
    if (!item) throw assetNotFound();
    const image = { ...recordOf<PublicImage>(item), s3Key: imageKey(String(item['workspaceId']), id) };
    return readStored(
      image,
      { method, headers },
      { always, whole: (etag) => ({ ...always(etag), ...contentHeaders(image) }) },
    );
  },
);

/** The content of an address never changes, so every cache may keep it. */
const always = (etag: string): Record<string, string> => ({
  etag,
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
});

/** Nothing in the file runs, and pages of other hosts may show it. */
const contentHeaders = ({ type }: PublicImage): Record<string, string> => ({
  'content-type': type,
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'accept-ranges': 'bytes',
});
