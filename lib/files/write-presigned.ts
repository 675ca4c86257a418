import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { filesBucket, filesClient } from './client.ts';
import type { NewFile } from './write-file.ts';

/** The lifetime of an upload URL, from the announcement on (lib/spec/decisions.md section 6). */
const presignedSeconds = 900;

/** When the upload URL of a file that was announced at this time expires. Retries of the announcement do not extend it. */
const expiryOf = (announcedAt: Date): Date => new Date(announcedAt.getTime() + presignedSeconds * 1_000);

export const isUploadExpired = (announcedAt: Date): boolean => expiryOf(announcedAt).getTime() <= Date.now();

/** A request that uploads a file directly to the bucket. Its signature covers method, URL and headers. */
export interface PresignedUpload {
  readonly method: 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAt: string;
}

/**
 * Allows one upload of exactly `size` bytes to an unused key.
 * @param announcedAt the start of its lifetime, to the second
 */
export async function presignUpload(
  { s3Key, type }: NewFile,
  size: number,
  announcedAt: Date,
): Promise<PresignedUpload> {
  const headers = { 'content-type': type, 'content-length': String(size), 'if-none-match': '*' };
  const command = new PutObjectCommand({
    Bucket: filesBucket(),
    Key: s3Key,
    ContentType: type,
    ContentLength: size,
    IfNoneMatch: '*',
  });
  const url = await getSignedUrl(filesClient(), command, {
    expiresIn: presignedSeconds,
    signingDate: announcedAt,
    signableHeaders: new Set(['host', ...Object.keys(headers)]),
    unhoistableHeaders: new Set(Object.keys(headers)),
  });
  return { method: 'PUT', url, headers, expiresAt: expiryOf(announcedAt).toISOString() };
}
