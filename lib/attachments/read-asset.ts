import { type ByteRange, readByteRange } from '#lib/domain/files/byte-range.ts';
import { asciiNameOf } from '#lib/domain/files/file-name.ts';
import { mediaTypeOf } from '#lib/domain/files/media-type.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
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

/** Answers 200 with an attachment, 206 with a part of it, or 304. @throws 404, 416, Unavailable */
export const readAsset = (attachment: Attachment, request: AssetRequest): Promise<StreamReply> =>
  readStored(attachment, request, { always: cacheHeaders, whole: (etag) => assetHeaders(attachment, etag) });

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

/** What a browser shows without a program of its own for it, such as a viewer of PDF. */
const shownTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain'];

/**
 * Headers for the safe delivery of an untrusted file (lib/spec/decisions.md section 6). The browser runs no script in
 * it and does not infer another type.
 */
function assetHeaders(attachment: Attachment, etag: string): Record<string, string> {
  const { name, size } = attachment;
  const { type, charset = 'utf-8' } = { ...attachment, ...mediaTypeOf(attachment.type, '') };
  return {
    'content-type': type.startsWith('text/') ? `${type}; charset=${charset}` : type,
    'content-disposition': contentDisposition(shownTypes.includes(type) ? 'inline' : 'attachment', name),
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
    'x-file-size': String(size),
    ...cacheHeaders(etag),
  };
}

/** Headers of every response about a file, including 304. */
const cacheHeaders = (etag: string): Record<string, string> => ({
  etag,
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
});

/** An ASCII name for every client, and the full name for clients of RFC 6266. */
function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${asciiNameOf(name)}"; filename*=UTF-8''${encoded}`;
}
