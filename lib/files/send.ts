import type { S3Client } from '@aws-sdk/client-s3';
import { Unavailable } from '#lib/table/errors.ts';
import { filesClient, type Patience } from './client.ts';

interface CallOptions {
  readonly abortSignal: AbortSignal;
}

/** One call of the bucket, all its tries within a bound. @throws Unavailable, whatever went wrong */
export async function sendToBucket<Output>(
  milliseconds: number,
  call: (client: S3Client, options: CallOptions) => Promise<Output>,
  patience: Patience = 'answer',
): Promise<Output> {
  try {
    return await call(filesClient(patience), { abortSignal: AbortSignal.timeout(milliseconds) });
  } catch (cause) {
    throw new Unavailable('The bucket did not answer.', { cause });
  }
}

/** Whether the bucket has said that there is no such thing. */
export const isMissing = (error: unknown): boolean => statusOf(error) === 404;

/** Whether the bucket has answered at all, so that nothing of the call can still happen. */
export const wasAnswered = (error: unknown): boolean => statusOf(error) !== undefined;

function statusOf(error: unknown): number | undefined {
  const cause = error instanceof Unavailable ? error.cause : undefined;
  return (cause as { readonly $metadata?: { readonly httpStatusCode?: number } } | undefined)?.$metadata
    ?.httpStatusCode;
}
