import { type AssetRequest, assetNotFound, readStored } from '#lib/attachments/read-asset.ts';
import type { PublicImage } from '#lib/domain/files/public-image.ts';
import type { StreamReply } from '#lib/http/stream-api.ts';
import { findPublicImage } from '#lib/table/media/images.ts';
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
