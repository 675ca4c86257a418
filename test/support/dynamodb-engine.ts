import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEndpoints, routeTable } from '#lib/endpoints.ts';
import { type DynamoDbEngine, startDynamoDb } from '#lib/local/dynamodb.ts';
import { setAddresses, setFilesEnvironment, setFunctionEnvironment } from '#lib/local/environment.ts';
import { filesBucket, type S3Engine, startS3 } from '#lib/local/s3/s3-server.ts';
import { createTable } from '#lib/table/dynamodb/create-table.ts';
import { RunServer } from './run-server.ts';
import { workerTable } from './worker-table.ts';

/**
 * Sets a folder for temporary files of all processes in the test run. It is removed after the run, including files of
 * killed processes and failed tests.
 * @returns a function that removes it
 */
async function openRunFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-api-test-'));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  // The service and its commands start dozens of times. Only the first process compiles their shared modules.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compile-cache');
  return async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(folder, { recursive: true, force: true });
  };
}

interface Shared {
  dynamoDbEngine?: DynamoDbEngine;
  s3Engine?: S3Engine;
  runServer?: RunServer;
  removeRunFolder?: () => Promise<void>;
}

// Set-up and tear-down run in one process, but jest may load this file separately for each of them.
const shared = globalThis as Shared;

/**
 * Starts the two engines of a test run, makes a table for each worker, and sets the environment of its processes.
 * @param isForManyCalls as for `startDynamoDb`
 */
export async function startTestEngine(workers: number, isForManyCalls: boolean): Promise<void> {
  shared.removeRunFolder = await openRunFolder();
  const [engine, endpoints] = await Promise.all([startDynamoDb(undefined, isForManyCalls), findEndpoints()]);
  shared.dynamoDbEngine = engine;
  const tables = Array.from({ length: workers }, (_, index) => workerTable(index + 1));
  setFunctionEnvironment(engine, workerTable(1), routeTable(endpoints));
  shared.s3Engine = await startS3({ ...engine, bucket: filesBucket });
  setFilesEnvironment(shared.s3Engine);
  setAddresses('http://assets.example');
  shared.runServer = await RunServer.start();
  process.env['RUN_SERVER'] = shared.runServer.url;
  process.env['LOG_LEVEL'] = 'silent';
  await engine.ready;
  await Promise.all(tables.map((name) => createTable(name)));
}

export async function stopTestEngine(): Promise<void> {
  await Promise.all([shared.dynamoDbEngine?.stop(), shared.s3Engine?.stop(), shared.runServer?.stop()]);
  await shared.removeRunFolder?.();
}
