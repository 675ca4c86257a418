import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { RenewedRetries } from './renewed-retries.ts';

/** The timeout and number of tries: low for requests, because a caller waits; higher for imports. */
const timeoutProfiles = {
  request: { requestTimeout: 1_500, attempts: 4 },
  import: { requestTimeout: 15_000, attempts: 8 },
} as const;
export type TimeoutProfile = keyof typeof timeoutProfiles;

export type TableClient = DynamoDBDocumentClient;

/**
 * The SDK's default logger writes nothing. But because it has `info`, the SDK walks and redacts every response, which
 * costs much CPU. A logger without `info` avoids that.
 */
const quiet = { trace() {}, debug() {}, warn() {}, error() {} } as unknown as NonNullable<
  DynamoDBClientConfig['logger']
>;

/**
 * A cold container has a third of a processor and still compiles while its first connection opens. A shorter timeout
 * would end healthy attempts. The request's deadline bounds all attempts.
 */
const connectionTimeout = 1_000;

/** The address of the table, for programs that do not read it from the environment. */
export type TableAddress = Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'>;

/** Without an address, the SDK finds endpoint and credentials in the environment, on AWS as in the local run. */
export function tableClient(timeoutProfile: TimeoutProfile = 'request', address: TableAddress = {}): TableClient {
  const { requestTimeout, attempts } = timeoutProfiles[timeoutProfile];
  const client = new DynamoDBClient({
    ...address,
    logger: quiet,
    retryStrategy: new RenewedRetries(attempts),
    requestHandler: { connectionTimeout, requestTimeout, throwOnRequestTimeout: true },
  });
  return DynamoDBDocumentClient.from(client, {
    marshallOptions: { allowImpreciseNumbers: true, removeUndefinedValues: true },
    // All numbers were written as JavaScript numbers, so reading them as such loses nothing.
    unmarshallOptions: { wrapNumbers: Number },
  });
}
