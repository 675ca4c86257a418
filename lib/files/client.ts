import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

/**
 * How a call is waited for: the answer to one without bytes is near; one that carries bytes may take as long as they
 * move.
 */
const patiences = {
  answer: { maxAttempts: 3, requestHandler: { requestTimeout: 2_000, throwOnRequestTimeout: true } },
  bytes: { maxAttempts: 2, requestHandler: { socketTimeout: 1_500 } },
} as const;
export type Patience = keyof typeof patiences;

/** As in lib/table/client.ts: the default logger says nothing, yet costs a walk over every answer. */
const quiet = { trace() {}, debug() {}, warn() {}, error() {} } as unknown as NonNullable<S3ClientConfig['logger']>;

/** Each download keeps one as long as its client reads; where a process serves them all, 50 would hold up the others. */
const manyConnections = { maxSockets: 1_000 };

const clients = new Map<Patience, S3Client>();

/** The one client of its patience. The SDK finds endpoint and credentials in the environment, on AWS as in the local run. */
export function filesClient(patience: Patience = 'answer'): S3Client {
  const { maxAttempts, requestHandler } = patiences[patience];
  const client =
    clients.get(patience) ??
    new S3Client({
      logger: quiet,
      maxAttempts,
      // The checksum of a presigned request would be that of an empty body.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 500, httpAgent: manyConnections, ...requestHandler },
    });
  clients.set(patience, client);
  return client;
}

/** The bucket that holds the files of all workspaces. */
export const filesBucket = (): string => process.env['FILES_BUCKET'] ?? '';
