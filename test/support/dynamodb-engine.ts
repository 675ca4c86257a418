import { findEndpoints, routeTable } from '#lib/endpoints.ts';
import { type DynamoDbEngine, startDynamoDb } from '#lib/local/dynamodb.ts';
import { setAssetAddress, setFilesEnvironment, setFunctionEnvironment } from '#lib/local/environment.ts';
import { filesBucket, type S3Engine, startS3 } from '#lib/local/s3/s3-server.ts';
import { createTable } from '#lib/table/create-table.ts';

export const testTableName = 'workspace-test';

// Set-up and tear-down run in one process, but jest may load this file for each of them anew.
const shared = globalThis as { dynamoDbEngine?: DynamoDbEngine; s3Engine?: S3Engine };

/** Starts the two engines of a test run, makes the table, and leads everything in its processes to it. */
export async function startTestEngine(): Promise<void> {
  const [engine, endpoints] = await Promise.all([startDynamoDb(), findEndpoints()]);
  shared.dynamoDbEngine = engine;
  setFunctionEnvironment(engine, testTableName, routeTable(endpoints));
  shared.s3Engine = await startS3({ ...engine, bucket: filesBucket });
  setFilesEnvironment(shared.s3Engine);
  setAssetAddress('http://assets.example');
  process.env['LOG_LEVEL'] = 'silent';
  await engine.ready;
  await createTable(testTableName, { stream: false });
}

export async function stopTestEngine(): Promise<void> {
  await Promise.all([shared.dynamoDbEngine?.stop(), shared.s3Engine?.stop()]);
}
