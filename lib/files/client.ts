import { S3Client } from '@aws-sdk/client-s3';
import { quietLogger } from '#lib/aws/quiet-logger.ts';

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
