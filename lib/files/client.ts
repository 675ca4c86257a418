import { S3Client } from '@aws-sdk/client-s3';
import { quietLogger } from '#lib/aws/quiet-logger.ts';
import { Unavailable } from '#lib/table/errors.ts';

/**
 * Timeouts of bucket calls. A call without bytes has a fixed bound; a call with bytes may take as long as they move.
 */
const timeoutProfiles = {
  answer: { maxAttempts: 3, requestHandler: { requestTimeout: 2_000, throwOnRequestTimeout: true } },
  bytes: { maxAttempts: 2, requestHandler: { socketTimeout: 1_500 } },
} as const;
export type TimeoutProfile = keyof typeof timeoutProfiles;

/** As in lib/table/dynamodb/client.ts: a cold container needs time for its first connection. */
const connectionTimeout = 1_000;

/** A download keeps its connection while its client reads. With the default of 50, slow clients would block others. */
const manyConnections = { maxSockets: 1_000 };

/** One client for each profile. */
const clients = new Map<TimeoutProfile, S3Client>();

/** The shared client of a profile. The SDK reads endpoint and credentials from the environment, on AWS and locally. */
export function filesClient(profile: TimeoutProfile = 'answer'): S3Client {
  const { maxAttempts, requestHandler } = timeoutProfiles[profile];
  const client =
    clients.get(profile) ??
    new S3Client({
      logger: quietLogger,
      maxAttempts,
      // The checksum of a presigned request would be that of an empty body.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout, httpAgent: manyConnections, ...requestHandler },
    });
  clients.set(profile, client);
  return client;
}

/** The bucket with the files of all workspaces. */
export const filesBucket = (): string => process.env['FILES_BUCKET'] ?? '';

/**
 * Makes one bucket call.
 * @param limit milliseconds, or the signal that ends the call; it covers all retries
 * @throws Unavailable on any failure
 */
export async function sendToBucket<Output>(
  limit: number | AbortSignal,
  call: (client: S3Client, options: { readonly abortSignal: AbortSignal }) => Promise<Output>,
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
