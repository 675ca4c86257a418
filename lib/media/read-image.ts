import { type AssetRequest, assetNotFound, readStored } from '#lib/attachments/read-asset.ts';
import { imageKey, type PublicImage, timeOfImage } from '#lib/domain/files/public-image.ts';
import type { StreamReply } from '#lib/http/stream-api.ts';
import { keys } from '#lib/table/keys.ts';
import { recordOf } from '#lib/table/record-of.ts';
import type { Table } from '#lib/table/table.ts';

/** Answers a public image, a part of it, or 304. @throws 404, 416, Unavailable */
export async function readPublicImage(table: Table, id: string, request: AssetRequest): Promise<StreamReply> {
  const image = await findPublicImage(table, id);
  if (!image) throw assetNotFound();
  return readStored(image, request, { always, whole: (etag) => ({ ...always(etag), ...contentHeaders(image) }) });
}

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

/** The image of a public address. Access pattern P1. Unconfirmed images are not found. */
async function findPublicImage(
  table: Table,
  id: string,
): Promise<(PublicImage & { readonly s3Key: string }) | undefined> {
  const item = timeOfImage(id) === undefined ? undefined : await table.get(keys.publicImage(id));
  if (!item) return undefined;
  return { ...recordOf<PublicImage>(item), s3Key: imageKey(String(item['workspaceId']), id) };
}
