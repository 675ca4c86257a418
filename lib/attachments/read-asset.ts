import type { Attachment } from '#lib/domain/attachment.ts';
import { type ByteRange, readByteRange } from '#lib/domain/byte-range.ts';
import { openFile, readFileHead } from '#lib/files/read-file.ts';
import { ifNoneMatchHolds } from '#lib/http/conditional.ts';
import { HttpError, notFound } from '#lib/http/errors.ts';
import type { StreamReply } from '#lib/http/stream-api.ts';
import { assetHeaders, cacheHeaders } from './asset-headers.ts';

/** The method and the conditional and range headers of a request. */
export interface AssetRequest {
  readonly method: string;
  readonly headers: {
    readonly 'If-None-Match'?: string | undefined;
    readonly 'If-Range'?: string | undefined;
    readonly Range?: string | undefined;
  };
}

/** The error for a missing asset. It does not reveal the reason. */
export const assetNotFound = () => notFound('File');

/**
 * Answers 200 with a file, 206 with a part of it, or 304.
 * @throws 404 when the object is missing or has another size
 * @throws 416, Unavailable
 */
export async function readAsset(attachment: Attachment, { method, headers }: AssetRequest): Promise<StreamReply> {
  const cachedEtags = headers['If-None-Match'];
  const condition = headers['If-Range'];
  // HEAD requests and conditions need no bytes.
  const head = method === 'HEAD' || cachedEtags || condition ? await headOf(attachment) : undefined;
  if (head && ifNoneMatchHolds(cachedEtags, head.etag)) return { status: 304, headers: cacheHeaders(head.etag) };
  if (head && method === 'HEAD') return whole(attachment, head.etag);
  const isSame = condition === undefined || condition === head?.etag;
  const range = isSame ? readByteRange(headers.Range, attachment.size) : undefined;
  if (range === 'outside') throw outside(attachment);
  return openAsset(attachment, range);
}

async function openAsset(attachment: Attachment, range: ByteRange | undefined): Promise<StreamReply> {
  const file = await openFile(attachment, range);
  if (!file) throw assetNotFound();
  const reply = whole(attachment, file.etag);
  if (!range) return { ...reply, body: file.body };
  const part = {
    'content-length': String(range.end - range.start),
    'content-range': `bytes ${range.start}-${range.end - 1}/${attachment.size}`,
  };
  return { status: 206, headers: { ...reply.headers, ...part }, body: file.body };
}

async function headOf({ s3Key, size }: Attachment) {
  const head = await readFileHead(s3Key);
  if (head?.size !== size) throw assetNotFound();
  return head;
}

const whole = (attachment: Attachment, etag: string): StreamReply => ({
  headers: { ...assetHeaders(attachment, etag), 'content-length': String(attachment.size) },
});

const outside = ({ size }: Attachment) =>
  new HttpError(416, 'range_not_satisfiable', `This file has ${size} bytes; ask for a range within them.`, {
    headers: { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' },
  });
