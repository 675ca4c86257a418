import { asciiNameOf } from '#lib/domain/files/file-name.ts';
import { mediaTypeOf } from '#lib/domain/files/media-type.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';

/** What a browser shows without a program of its own for it, such as a viewer of PDF. */
const shownTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain'];

/**
 * Headers for the safe delivery of an untrusted file (lib/spec/decisions.md section 6). The browser runs no script in
 * it and does not infer another type.
 */
export function assetHeaders(attachment: Attachment, etag: string): Record<string, string> {
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
export const cacheHeaders = (etag: string): Record<string, string> => ({
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
