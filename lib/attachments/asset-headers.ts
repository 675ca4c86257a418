import { asciiNameOf } from '#lib/domain/files/file-name.ts';
import { mediaTypeOf } from '#lib/domain/files/media-type.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';

const shownImages = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Audio, video and PDF. The browser's players for them do not run in a sandbox. */
const isPlayed = (type: string): boolean =>
  type === 'application/pdf' || (/^(?:audio|video)\//.test(type) && !type.endsWith('xml'));

const isInline = (type: string): boolean => isPlayed(type) || type === 'text/plain' || shownImages.includes(type);

/**
 * Headers for the safe delivery of an untrusted file (lib/spec/decisions.md section 6). The browser runs no script in
 * it and does not infer another type.
 */
export function assetHeaders(attachment: Attachment, etag: string): Record<string, string> {
  const { name, size } = attachment;
  const type = mediaTypeOf(attachment.type, '');
  return {
    'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'content-disposition': contentDisposition(isInline(type) ? 'inline' : 'attachment', name),
    ...(!isPlayed(type) && { 'content-security-policy': "default-src 'none'; sandbox" }),
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
