import { rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkData, formatFile } from './data-check.ts';
import { takeLock } from './directory-lock.ts';
import { StartFailure } from './start-failure.ts';

/** A directory of local data that this process uses alone until `release`. */
export interface DataDirectory {
  readonly path: string;
  /** Folder of the embedded DynamoDB's tables. */
  readonly dynamodb: string;
  /** Folder of the embedded S3's objects. */
  readonly s3: string;
  /** Notes that the table exists, so that its loss is found. */
  keep(): Promise<void>;
  release(): void;
}

/** An engine that was killed with its service may still hold the database for a moment. */
const lockedMillisecondsMaxDefault = 10_000;

/**
 * Makes the directory and locks it, because a second embedded DynamoDB would start on the same files without an error.
 * The lock of a process that has ended is taken over.
 * @throws StartFailure when the directory is in use, damaged or not writable
 */
export async function openDataDirectory(
  directory: string,
  lockedMillisecondsMax = lockedMillisecondsMaxDefault,
): Promise<DataDirectory> {
  const path = resolve(directory);
  const lock = join(path, 'lock');
  const holder = await makeFolder(path)
    .then(() => takeLock(lock))
    .catch((error: Error) => {
      throw new StartFailure(
        `The data directory ${path} cannot be used: ${error.message}. Start with another directory.`,
      );
    });
  if (holder !== undefined) {
    throw new StartFailure(`The data directory ${path} is in use by process ${holder}; stop that one first.`);
  }
  const release = () => {
    process.off('exit', release);
    rmSync(lock, { force: true });
  };
  process.once('exit', release);
  await checkData(path, lockedMillisecondsMax).catch((error) => {
    release();
    throw error;
  });
  const { file, text } = formatFile(path);
  const keep = () => writeFile(file, text, { mode: 0o600 });
  return { path, dynamodb: join(path, 'dynamodb'), s3: join(path, 's3'), keep, release };
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
