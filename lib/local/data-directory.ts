import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Failure } from '#lib/domain/failure.ts';
import { objectsFile } from './s3/bucket.ts';
import { tableName } from './table-name.ts';

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
 * @throws Failure when the directory is in use, damaged or not writable
 */
export async function openDataDirectory(
  directory: string,
  lockedMillisecondsMax = lockedMillisecondsMaxDefault,
): Promise<DataDirectory> {
  const path = resolve(directory);
  const lock = await makeFolder(path)
    .then(() => takeLock(path))
    .catch((error: Error) => {
      throw new Failure(`The data directory ${path} cannot be used: ${error.message}. Start with another directory.`);
    });
  if (!lock) {
    const holder = await readFile(processFile(path), 'utf8').catch(() => 'that has just started');
    throw new Failure(`The data directory ${path} is in use by process ${holder}; stop that one first.`);
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
  const keep = () => writeFile(join(path, formatName), format, { mode: 0o600 });
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

/** The layout of the directory. Another version of this service may have another one. */
const format = '2\n';
/** Written when the table exists. From then on, a missing part is a loss, and no first start. */
const formatName = 'format';
const keyIdName = 'dynamodb/access-key-id';
const objectsName = `s3/${objectsFile}`;
const folders = ['dynamodb', 's3'];

const isAccessKeyId = (text: string | undefined): text is string =>
  text !== undefined && /^[A-Za-z0-9]{20,128}$/.test(text);

/**
 * Makes the folders of new data, or checks that stored data is whole. The engine itself would fill a missing database
 * anew, and would not report a damaged one.
 * @param lockedMillisecondsMax how long to wait for another program that uses the database
 * @throws Failure that says what is wrong and what to do
 */
async function checkData(path: string, lockedMillisecondsMax: number): Promise<void> {
  const check = new DataCheck(path);
  const mark = await check.read(formatName);
  if (mark !== undefined && mark !== format) {
    check.fail(`the file ${formatName} names another version of this service`, 'Use the version that has made it');
  }
  const keyId = (await check.read(keyIdName))?.trim();
  const databases = (await check.list('dynamodb')).filter((name) => name.endsWith('.db'));
  const isUsed = mark !== undefined || databases.length > 0;
  // A first start that was killed may have left a part of the id.
  if (!isUsed && !isAccessKeyId(keyId)) await rm(join(path, keyIdName), { force: true });
  for (const folder of folders) await check.part(folder, 'folder', isUsed);
  if (!isUsed) return;
  if (keyId === undefined) check.fail(`${keyIdName} is missing, which names the database`);
  if (!isAccessKeyId(keyId)) check.fail(`${keyIdName} does not hold an access key id, so the tables cannot be found`);
  await check.part(keyIdName, 'file');
  const database = `dynamodb/${keyId}_us-east-1.db`;
  await check.part(database, 'file');
  // Without the mark, a first start may have been killed before it made the table or the bucket.
  const isWhole = mark !== undefined;
  const findTable = `SELECT 1 FROM dm WHERE TableName = '${tableName}'`;
  check.database(database, isWhole && findTable, lockedMillisecondsMax);
  if (!isWhole) return;
  await check.part(objectsName, 'file');
  check.database(objectsName, 'SELECT count(*) FROM objects', lockedMillisecondsMax);
}

const putBack = 'Put back a copy of the whole directory';

class DataCheck {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  fail(problem: string, remedy = putBack): never {
    throw new Failure(
      `The data directory ${this.#path} cannot be used: ${problem}. ${remedy}, or start with another directory.`,
    );
  }

  /** @returns undefined for an absent file */
  async read(name: string): Promise<string | undefined> {
    return readFile(join(this.#path, name), 'utf8').catch((error) => this.#absent(name, error));
  }

  async list(name: string): Promise<readonly string[]> {
    return (await readdir(join(this.#path, name)).catch((error) => this.#absent(name, error))) ?? [];
  }

  /** Checks that a file or folder is there, and makes a folder that may be missing. */
  async part(name: string, kind: 'file' | 'folder', mustExist = true): Promise<void> {
    const path = join(this.#path, name);
    const found = await stat(path).catch((error) => this.#absent(name, error));
    if (!found && mustExist) this.fail(`${kind === 'folder' ? 'the folder ' : ''}${name} is missing`);
    if (!found) await mkdir(path, { mode: 0o700 }).catch((error) => this.#absent(name, error));
    else if (!(kind === 'folder' ? found.isDirectory() : found.isFile())) this.fail(`${name} is not a ${kind}`);
    const rights = constants.R_OK | constants.W_OK | (kind === 'folder' ? constants.X_OK : 0);
    await access(path, rights).catch((error) => this.#absent(name, error));
  }

  /** @param proof a query that finds a row if the database is of this service */
  database(name: string, proof: string | false, timeout: number): void {
    const isForeign = () => this.fail(`${name} does not hold the table of this service`);
    try {
      const database = new DatabaseSync(join(this.#path, name), { timeout });
      try {
        const { quick_check: result } = database.prepare('PRAGMA quick_check(1)').get() ?? {};
        if (result !== 'ok') this.fail(`${name} is damaged (${result})`);
        if (proof && !database.prepare(proof).get()) isForeign();
      } finally {
        database.close();
      }
    } catch (error) {
      if (error instanceof Failure) throw error;
      const { message } = error as Error;
      if (/no such table/.test(message)) isForeign();
      if (/locked/.test(message)) this.fail(`another program uses ${name}`, 'Stop that program');
      this.fail(`${name} is damaged (${message})`);
    }
  }

  #absent(name: string, { code, message }: NodeJS.ErrnoException): undefined {
    if (code === 'ENOENT') return undefined;
    if (code === 'ENOTDIR') this.fail(`${name} is not a folder`);
    if (code === 'EISDIR') this.fail(`${name} is not a file`);
    const mayNot = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
    if (mayNot) this.fail(`${name} may not be read and written (${code})`, 'Give this user the right to both');
    return this.fail(`${name} cannot be read (${message})`);
  }
}
