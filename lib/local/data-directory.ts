import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { takeLock } from './directory-lock.ts';
import { StartFailure } from './start-failure.ts';

/** A directory of local data that this process alone uses until it lets go of it. */
export interface DataDirectory {
  readonly path: string;
  /** Folder of the embedded DynamoDB's tables. */
  readonly dynamodb: string;
  /** Folder of the embedded S3's objects. */
  readonly s3: string;
  release(): void;
}

/**
 * Makes the directory and locks it: the embedded engine would start a second time on the same files without a word.
 * A lock whose process is gone does not count.
 * @throws StartFailure when it is in use, or is no directory that can be written
 */
export async function openDataDirectory(directory: string): Promise<DataDirectory> {
  const path = resolve(directory);
  const lock = join(path, 'lock');
  const holder = await makeFolder(path)
    .then(() => takeLock(lock))
    .catch((error: Error) => {
      throw new StartFailure(`The data directory ${path} cannot be used: ${error.message}.`);
    });
  if (holder !== undefined) {
    throw new StartFailure(`The data directory ${path} is in use by process ${holder}; stop that one first.`);
  }
  const release = () => {
    process.off('exit', release);
    rmSync(lock, { force: true });
  };
  process.once('exit', release);
  return { path, dynamodb: join(path, 'dynamodb'), s3: join(path, 's3'), release };
}

/** Also those above it. Node's own way to do so never ends where a system lets nobody make any, as in /proc. */
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
