import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '#lib/domain/failure.ts';
import { startCommitBarrier } from './commit-barrier.ts';
import { engineClasses } from './engine-classes.ts';
import { findFreePort } from './free-port.ts';
import { type JavaProcess, javaCommand, spawnJava } from './java.ts';
import { SupervisedEngine } from './supervised-engine.ts';

// A first start with nothing in the disk cache was measured at ten seconds.
const bootMillisecondsMax = 60_000;
/** Soon after its port is open, a working engine answers without an error. */
const refusalsMillisecondsMax = 5_000;
const pollMilliseconds = 50;
/** How long an engine may take to end while it writes its classes. */
const recordingMillisecondsMax = 30_000;

/** SDK settings for the engine. */
export interface DynamoDbAccess {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface DynamoDbEngine extends DynamoDbAccess {
  /** Resolves when the engine answers; rejects when it ends or is stopped before. */
  readonly ready: Promise<void>;
  /** Resolves when the engine has ended for good without a call of `stop`. */
  readonly failed: Promise<Failure>;
  stop(): Promise<void>;
}

/**
 * Starts DynamoDB Local. It listens on every interface and accepts any credentials, but has one database per access key
 * id. With a random id, other callers see an empty database.
 * @param directory folder of the tables and the access key id; by default all data is in memory
 * @param isForManyCalls compiles the engine to its fastest code: more work at its start, less for each call
 * @returns as soon as the process runs; await `ready` before the first call
 */
export async function startDynamoDb(directory?: string, isForManyCalls = false): Promise<DynamoDbEngine> {
  const accessKeyId = directory === undefined ? newAccessKeyId() : await storedAccessKeyId(directory);
  const port = await findFreePort();
  const access: DynamoDbAccess = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    accessKeyId,
    // DynamoDB Local ignores it, but the embedded S3 checks it.
    secretAccessKey: randomBytes(32).toString('hex'),
  };
  const { args, keepArchive } = await engineArguments(port, directory, isForManyCalls);
  const engine = await SupervisedEngine.start({
    spawn: () => spawnJava(args, keepArchive && recordingMillisecondsMax),
    waitUntilReady: (java, isStopping) => waitUntilReady(access, java, isStopping),
    keepsData: directory !== undefined,
  });
  const failed = new Promise<Failure>((resolve) => {
    void engine.ended.then((failure) => failure && resolve(failure));
  });
  const { ready } = engine;
  if (directory === undefined) {
    const stopInMemory = async () => {
      if (await engine.stop()) await keepArchive?.();
    };
    return { ...access, ready, failed, stop: stopInMemory };
  }
  const agent = new Agent({ keepAlive: true });
  const barrier = await startCommitBarrier(port, async () => (await listTablesStatus(access, agent)) === 200);
  const stop = async () => {
    await engine.stop();
    await barrier.stop();
    agent.destroy();
  };
  return { ...access, endpoint: barrier.endpoint, ready, failed, stop };
}

async function engineArguments(port: number, directory: string | undefined, isForManyCalls: boolean) {
  // One with stored data ends as fast as it can.
  const mayRecord = directory === undefined;
  const { args, keepArchive } = await engineClasses(javaCommand(), mayRecord);
  const jvm = ['-XX:+UseSerialGC', ...(isForManyCalls ? [] : ['-XX:TieredStopAtLevel=1']), '-Xmx512m'];
  const storage = directory === undefined ? ['-inMemory'] : ['-dbPath', resolve(directory)];
  return { args: [...jvm, ...args, '-port', String(port), '-disableTelemetry', ...storage], keepArchive };
}

const newAccessKeyId = () => randomBytes(32).toString('hex');

/**
 * Reads the id, which `checkData` has checked, or makes it. The engine's file names contain it, so only this user may
 * list the directory.
 */
async function storedAccessKeyId(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'access-key-id');
  try {
    await writeFile(file, newAccessKeyId(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}

const restoreData = 'If its data directory may be damaged, put back a copy of it, or start with another one.';

async function waitUntilReady(access: DynamoDbAccess, java: JavaProcess, isStopping: () => boolean): Promise<void> {
  let exited = false;
  void java.exited.then(() => {
    exited = true;
  });
  const deadline = Date.now() + bootMillisecondsMax;
  let firstRefusal: number | undefined;
  while (Date.now() < deadline) {
    if (isStopping()) throw new Failure('The embedded DynamoDB was stopped while it started.');
    if (exited) throw await java.explainExit();
    const status = await listTablesStatus(access);
    if (status === 200) return;
    firstRefusal ??= status && Date.now();
    if (firstRefusal && Date.now() - firstRefusal > refusalsMillisecondsMax) {
      throw new Failure(`The embedded DynamoDB answers only errors (status ${status}). ${restoreData}`);
    }
    await delay(pollMilliseconds);
  }
  throw new Failure(`The embedded DynamoDB did not answer within ${bootMillisecondsMax / 1000} seconds.`);
}

/**
 * The port opens before the engine can answer, so only an answer proves it ready. The engine checks no signature.
 * @returns the status, or undefined without an answer
 */
function listTablesStatus(
  { endpoint, region, accessKeyId }: DynamoDbAccess,
  agent: Agent | false = false,
): Promise<number | undefined> {
  const credential = `${accessKeyId}/20260101/${region}/dynamodb/aws4_request`;
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.ListTables',
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0`,
  };
  return new Promise((settle) => {
    // The environment may configure a proxy for the shared agent.
    const call = request(endpoint, { method: 'POST', agent, timeout: 5_000, headers }, (response) => {
      response.resume().on('close', () => settle(response.statusCode));
    });
    call.on('timeout', () => call.destroy()).on('error', () => settle(undefined));
    call.end('{}');
  });
}
