import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

/**
 * Timeouts of bucket calls. A call without bytes has a fixed bound; a call with bytes may take as long as they move.
 */
const timeoutProfiles = {
  answer: { maxAttempts: 3, requestHandler: { requestTimeout: 2_000, throwOnRequestTimeout: true } },
  bytes: { maxAttempts: 2, requestHandler: { socketTimeout: 1_500 } },
} as const;
export type TimeoutProfile = keyof typeof timeoutProfiles;

/**
 * The SDK's default logger writes nothing. But because it has `info`, the SDK traverses and redacts every response, which
 * costs much CPU. A logger without `info` avoids that.
 */
const quiet = { trace() {}, debug() {}, warn() {}, error() {} } as unknown as NonNullable<S3ClientConfig['logger']>;

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
      logger: quiet,
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
