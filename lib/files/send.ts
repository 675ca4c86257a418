import type { S3Client } from '@aws-sdk/client-s3';
import { Unavailable } from '#lib/table/errors.ts';
import { filesClient, type TimeoutProfile } from './client.ts';

interface CallOptions {
  readonly abortSignal: AbortSignal;
}

/**
 * Makes one bucket call.
 * @param limit milliseconds, or the signal that ends the call; it covers all retries
 * @throws Unavailable on any failure
 */
export async function sendToBucket<Output>(
  limit: number | AbortSignal,
  call: (client: S3Client, options: CallOptions) => Promise<Output>,
  profile: TimeoutProfile = 'answer',
): Promise<Output> {
  const abortSignal = typeof limit === 'number' ? AbortSignal.timeout(limit) : limit;
  try {
    return await call(filesClient(profile), { abortSignal });
  } catch (cause) {
    throw new Unavailable('The bucket did not answer.', { cause });
  }
}

/** Whether the bucket answered 404. */
export const isMissing = (error: unknown): boolean => statusOf(error) === 404;

/** Makes a missing file undefined. @throws every other error */
export function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Whether the bucket answered. Without an answer, the call may still take effect later. */
export const wasAnswered = (error: unknown): boolean => statusOf(error) !== undefined;

function statusOf(error: unknown): number | undefined {
  const cause = error instanceof Unavailable ? error.cause : undefined;
  return (cause as { readonly $metadata?: { readonly httpStatusCode?: number } } | undefined)?.$metadata
    ?.httpStatusCode;
}
