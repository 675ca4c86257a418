import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { RenewedRetries } from './renewed-retries.ts';

/** Time for one try, and the number of tries: little behind a waiting caller, more in an import. */
const timeoutProfiles = {
  request: { requestTimeout: 1_500, attempts: 4 },
  import: { requestTimeout: 15_000, attempts: 8 },
} as const;
export type TimeoutProfile = keyof typeof timeoutProfiles;

export type TableClient = DynamoDBDocumentClient;

/**
 * The SDK's default logger says nothing, yet it has an `info`, for which every answer is walked and redacted: a good
 * part of the cost of a call. One without `info` is not asked.
 */
const quiet = { trace() {}, debug() {}, warn() {}, error() {} } as unknown as NonNullable<
  DynamoDBClientConfig['logger']
>;

/**
 * A container with a third of a processor still compiles while its first connection opens; a shorter limit would cost
 * attempts that nothing was wrong with. The deadline of the request bounds them all.
 */
const connectionTimeout = 1_000;

/** Address of the table, for programs that do not take it from the environment. */
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
    // Numbers are written from JavaScript numbers, so that reading them back as such loses nothing.
    unmarshallOptions: { wrapNumbers: Number },
  });
}
