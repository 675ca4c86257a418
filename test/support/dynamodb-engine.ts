import { findEndpoints, routeTable } from '#lib/endpoints.ts';
import { type DynamoDbEngine, startDynamoDb } from '#lib/local/dynamodb.ts';
import { setFunctionEnvironment } from '#lib/local/environment.ts';
import { createTable } from '#lib/table/create-table.ts';

export const testTableName = 'workspace-test';

// Set-up and tear-down run in one process, but jest may load this file for each of them anew.
const shared = globalThis as { dynamoDbEngine?: DynamoDbEngine };

/** Starts the one engine of a test run, makes the table, and leads everything in its processes to it. */
export async function startTestEngine(): Promise<void> {
  const [engine, endpoints] = await Promise.all([startDynamoDb(), findEndpoints()]);
  shared.dynamoDbEngine = engine;
  setFunctionEnvironment(engine, testTableName, routeTable(endpoints));
  process.env['LOG_LEVEL'] = 'silent';
  await engine.ready;
  await createTable(testTableName, { stream: false });
}

export async function stopTestEngine(): Promise<void> {
  await shared.dynamoDbEngine?.stop();
}
