import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { filesBucket, filesClient } from './client.ts';
import type { NewFile } from './write-file.ts';

/** How long a direct upload may begin after it was announced (lib/spec/decisions.md section 6). */
export const presignedSeconds = 900;

/** A request that stores a file without the service; it works as it is here and in no other way. */
export interface PresignedUpload {
  readonly method: 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Allows one upload of exactly this many bytes to a key where nothing is stored yet.
 * @param signedAt from when on it counts, to the second
 */
export async function presignUpload({ s3Key, type }: NewFile, size: number, signedAt: Date): Promise<PresignedUpload> {
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
    signingDate: signedAt,
    signableHeaders: new Set(['host', ...Object.keys(headers)]),
    unhoistableHeaders: new Set(Object.keys(headers)),
  });
  return { method: 'PUT', url, headers };
}
