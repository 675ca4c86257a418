import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { checkData, formatFile } from './data-check.ts';
import { StartFailure } from './start-failure.ts';

/** A directory of local data that this process uses alone until `release`. */
export interface DataDirectory {
  readonly path: string;
  /** Folder of the embedded DynamoDB's tables. */
  readonly dynamodb: string;
  /** Folder of the embedded S3's objects. */
  readonly s3: string;
  /** The secret from which keys are derived, the same in all runs with this data. */
  readonly secret: string;
  /** Notes that the table exists, so that its loss is found. */
  keep(): Promise<void>;
  release(): Promise<void>;
}

/** An engine that was killed with its service may still hold the database for a moment. */
const lockedMillisecondsMaxDefault = 10_000;

/**
 * Makes the directory and locks it, because a second embedded DynamoDB would start on the same files without an error.
 * @throws StartFailure when the directory is in use, damaged or not writable
 */
export async function openDataDirectory(
  directory: string,
  lockedMillisecondsMax = lockedMillisecondsMaxDefault,
): Promise<DataDirectory> {
  const path = resolve(directory);
  const lock = await makeFolder(path)
    .then(() => takeLock(path))
    .catch((error: Error) => {
      throw new StartFailure(
        `The data directory ${path} cannot be used: ${error.message}. Start with another directory.`,
      );
    });
  if (!lock) {
    const holder = await readFile(processFile(path), 'utf8').catch(() => 'that has just started');
    throw new StartFailure(`The data directory ${path} is in use by process ${holder}; stop that one first.`);
  }
  const release = async () => {
    await rm(processFile(path), { force: true });
    lock.close();
  };
  await checkData(path, lockedMillisecondsMax).catch(async (error) => {
    await release();
    throw error;
  });
  const secret = await ownSecret(join(path, 'secret'));
  const { file, text } = formatFile(path);
  const keep = () => writeFile(file, text, { mode: 0o600 });
  return { path, dynamodb: join(path, 'dynamodb'), s3: join(path, 's3'), secret, keep, release };
}

/** Reads a secret of this service, or makes it. A part of one, of a start that was killed, is made anew. */
async function ownSecret(file: string): Promise<string> {
  const stored = await readFile(file, 'utf8').catch(() => '');
  if (/^[0-9a-f]{64}$/.test(stored)) return stored;
  const secret = randomBytes(32).toString('hex');
  await writeFile(file, secret, { mode: 0o600 });
  return secret;
}

/** Names the process that has the lock, for people. */
const processFile = (path: string): string => join(path, 'process');

/**
 * Takes the lock, which is a transaction in an empty database. The system ends it with the process, also after a kill.
 * @returns undefined if another process has it
 */
async function takeLock(path: string): Promise<DatabaseSync | undefined> {
  const lock = new DatabaseSync(join(path, 'lock.db'));
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
    await writeFile(processFile(path), String(process.pid), { mode: 0o600 });
    return lock;
  } catch (error) {
    lock.close();
    if (/locked/.test((error as Error).message)) return undefined;
    throw error;
  }
}

/** Makes a folder and its parents. Node's recursive `mkdir` never ends where no folder can be made, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  await make()
    .catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await makeFolder(dirname(path));
      await make();
    })
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
}
