import { type ByteRange, readByteRange } from '#lib/domain/files/byte-range.ts';
import { openFile, readFileHead, type StoredFile } from '#lib/files/read-file.ts';
import { ifNoneMatchHolds } from '#lib/http/conditional.ts';
import { HttpError, notFound } from '#lib/http/errors.ts';
import type { StreamReply } from '#lib/http/stream-api.ts';

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

/** The headers of a file by its tag: of every answer about it, and of those with its bytes. */
export interface FileHeaders {
  readonly always: (etag: string) => Record<string, string>;
  readonly whole: (etag: string) => Record<string, string>;
}

/**
 * Answers 200 with a file, 206 with a part of it, or 304.
 * @throws 404 when the object is missing or has another size
 * @throws 416, Unavailable
 */
export async function readStored(
  stored: StoredFile,
  { method, headers }: AssetRequest,
  fileHeaders: FileHeaders,
): Promise<StreamReply> {
  const cachedEtags = headers['If-None-Match'];
  const condition = headers['If-Range'];
  // HEAD requests and conditions need no bytes.
  const head = method === 'HEAD' || cachedEtags || condition ? await headOf(stored) : undefined;
  if (head && ifNoneMatchHolds(cachedEtags, head.etag)) return { status: 304, headers: fileHeaders.always(head.etag) };
  if (head && method === 'HEAD') return replyWithWhole(stored, fileHeaders.whole(head.etag));
  const isSame = condition === undefined || condition === head?.etag;
  const range = isSame ? readByteRange(headers.Range, stored.size) : undefined;
  if (range === 'outside') throw outside(stored);
  return openStored(stored, range, fileHeaders);
}

async function openStored(
  stored: StoredFile,
  range: ByteRange | undefined,
  fileHeaders: FileHeaders,
): Promise<StreamReply> {
  const file = await openFile(stored, range);
  if (!file) throw assetNotFound();
  const reply = replyWithWhole(stored, fileHeaders.whole(file.etag));
  if (!range) return { ...reply, body: file.body };
  const part = {
    'content-length': String(range.end - range.start),
    'content-range': `bytes ${range.start}-${range.end - 1}/${stored.size}`,
  };
  return { status: 206, headers: { ...reply.headers, ...part }, body: file.body };
}

async function headOf({ s3Key, size }: StoredFile) {
  const head = await readFileHead(s3Key);
  if (head?.size !== size) throw assetNotFound();
  return head;
}

const replyWithWhole = ({ size }: StoredFile, headers: Record<string, string>): StreamReply => ({
  headers: { ...headers, 'content-length': String(size) },
});

const outside = ({ size }: StoredFile) =>
  new HttpError(416, 'range_not_satisfiable', `This file has ${size} bytes; ask for a range within them.`, {
    headers: { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' },
  });
