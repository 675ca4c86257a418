import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Failure } from '#lib/domain/failure.ts';
import { openDataDirectory } from '#lib/local/data-directory.ts';
import { Bucket } from '#lib/local/s3/bucket.ts';

const keyId = 'c0ffee'.repeat(8);
const databaseName = `dynamodb/${keyId}_us-east-1.db`;
const objects = 's3/objects.db';
let path: string;
const at = (name: string) => join(path, name);

/** Writes a database as the engine lays it out. */
function writeDatabase(file: string, tables: readonly string[]): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  database.exec('CREATE TABLE dm (TableName TEXT, CreationDateTime INTEGER)');
  for (const table of tables) {
    database.prepare('INSERT INTO dm VALUES (?, 1)').run(table);
    database.exec(`CREATE TABLE "${table}" (item BLOB)`);
    for (let row = 0; row < 200; row++) database.prepare(`INSERT INTO "${table}" VALUES (?)`).run(randomBytes(500));
  }
  database.exec('COMMIT');
  database.close();
}

/** A directory as a run leaves it, with one uploaded file. */
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'data-damaged-'));
  const data = await openDataDirectory(path);
  await writeFile(at('dynamodb/access-key-id'), keyId);
  writeDatabase(at(databaseName), ['workspace']);
  const bucket = new Bucket('files', data.s3);
  bucket.put({ key: 'a.txt', etag: '"1"', type: 'text/plain' }, randomBytes(20_000), true);
  bucket.close();
  await data.keep();
  await data.release();
});

afterEach(() => rm(path, { recursive: true, force: true }));

const intoFolder = async (name: string) => {
  await rm(at(name), { recursive: true });
  await mkdir(at(name));
};
const intoFile = async (name: string) => {
  await rm(at(name), { recursive: true });
  await writeFile(at(name), '');
};

/** Opens everything that a start opens before the engine. */
async function open(): Promise<void> {
  const data = await openDataDirectory(path);
  try {
    new Bucket('files', data.s3).close();
  } finally {
    await data.release();
  }
}

const states = async () => {
  const names = (await readdir(path, { recursive: true })).sort();
  return Promise.all(names.map(async (name) => [name, (await stat(at(name))).size]));
};

describe('a data directory', () => {
  it('opens again and again while it is whole', async () => {
    await open();
    await open();
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['its database is missing', () => rm(at(databaseName)), /\.db is missing/],
    ['its database has no bytes', () => truncate(at(databaseName)), /does not hold the table of this service/],
    ['its database ends early', () => truncate(at(databaseName), 50_000), /\.db is damaged/],
    ['its database ends within its head', () => truncate(at(databaseName), 60), /\.db is damaged/],
    ['its database is random', () => writeFile(at(databaseName), randomBytes(80_000)), /\.db is damaged/],
    ['its database has random bytes in it', () => scramble(databaseName), /\.db is damaged/],
    ['its database is a folder', () => intoFolder(databaseName), /\.db is not a file/],
    ['its database is text', () => writeFile(at(databaseName), '{"tables":[]}'.repeat(100)), /\.db is damaged/],
    ['its database has other tables', () => replaceDatabase(['orders']), /does not hold the table of this service/],
    ['its database has no tables', () => replaceDatabase([]), /does not hold the table of this service/],
    ['its database is of another program', replaceByNotes, /does not hold the table of this service/],
    ['its key id is missing', () => rm(at('dynamodb/access-key-id')), /access-key-id is missing/],
    ['its key id is empty', () => truncate(at('dynamodb/access-key-id')), /does not hold an access key id/],
    [
      'its key id is a path',
      () => writeFile(at('dynamodb/access-key-id'), '../../x'),
      /does not hold an access key id/,
    ],
    [
      'its key id is another',
      () => writeFile(at('dynamodb/access-key-id'), 'b'.repeat(64)),
      /bbb_us-east-1\.db is miss/,
    ],
    ['its key id is a folder', () => intoFolder('dynamodb/access-key-id'), /access-key-id is not a file/],
    ['its tables are missing', () => rm(at('dynamodb'), { recursive: true }), /folder dynamodb is missing/],
    ['its tables are a file', () => intoFile('dynamodb'), /dynamodb\S* is not a folder/],
    ['its bucket is missing', () => rm(at('s3'), { recursive: true }), /folder s3 is missing/],
    ['its bucket is a file', () => intoFile('s3'), /s3\S* is not a folder/],
    ['its list of files is missing', () => rm(at(objects)), /objects\.db is missing/],
    ['its list of files has no bytes', () => truncate(at(objects)), /does not hold the table of this service/],
    ['its list of files ends early', () => truncate(at(objects), 9_000), /objects\.db is damaged/],
    ['its list of files is random', () => writeFile(at(objects), randomBytes(30_000)), /objects\.db is damaged/],
    ['its list of files is a folder', () => intoFolder(objects), /objects\.db is not a file/],
    ['another version has made it', () => writeFile(at('format'), '3\n'), /names another version/],
    ['its format is a folder', () => intoFolder('format'), /format is not a file/],
  ])('is refused with its fault and a remedy if %s, and stays as it is', async (_, damage, problem) => {
    await damage();
    const before = await states();
    const failure = await open().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect((failure as Error).message).toMatch(problem);
    expect((failure as Error).message).toMatch(/with another (?:directory|one)\.$/);
    expect(await states()).toEqual(before);
  });

  it('is refused while another program changes its database', async () => {
    const other = new DatabaseSync(at(databaseName));
    other.exec('BEGIN EXCLUSIVE');
    try {
      const names = await readdir(at('dynamodb'));
      await expect(openDataDirectory(path, 50)).rejects.toThrow(/another program uses dynamodb/);
      expect((await readdir(at('dynamodb'))).filter((name) => !names.includes(name))).toEqual([]);
    } finally {
      other.close();
    }
  });

  it.each<[string, () => Promise<unknown>]>([
    ['before its database', () => rm(at(databaseName))],
    ['within its key id', () => truncate(at('dynamodb/access-key-id'), 7)],
  ])('opens after a first start that was killed %s', async (_, kill) => {
    await rm(at('format'));
    await rm(at('s3'), { recursive: true });
    await rm(at(databaseName));
    await kill().catch(() => undefined);
    await open();
  });

  it('opens after a first start that was killed before its table', async () => {
    await rm(at('format'));
    await writeFile(at(databaseName), '');
    await open();
  });

  it('is refused if its user may not use one of its parts', async () => {
    const parts: [string, number][] = [
      ['.', 0o555],
      ['dynamodb', 0o555],
      ['dynamodb', 0o000],
      ['dynamodb/access-key-id', 0o000],
      [databaseName, 0o444],
      ['s3', 0o555],
      ['s3', 0o666],
      [objects, 0o444],
      ['format', 0o000],
    ];
    const messages = await openAsOther(parts);
    expect(messages).toEqual(
      parts.map(([name]) =>
        expect.stringMatching(name === '.' ? /cannot be used: EACCES/ : /may not be read and written/),
      ),
    );
  });
});

async function scramble(name: string): Promise<void> {
  const bytes = await readFile(at(name));
  for (let offset = 8_192; offset + 4_096 <= bytes.length; offset += 4_096) randomBytes(512).copy(bytes, offset);
  await writeFile(at(name), bytes);
}

async function replaceDatabase(tables: readonly string[]): Promise<void> {
  await rm(at(databaseName));
  writeDatabase(at(databaseName), tables);
}

async function replaceByNotes(): Promise<void> {
  await rm(at(databaseName));
  const database = new DatabaseSync(at(databaseName));
  database.exec('CREATE TABLE notes (text TEXT)');
  database.close();
}

/** Root may read and write everything. So a process of another user takes the rights away and opens the directory. */
async function openAsOther(parts: readonly (readonly [string, number])[]): Promise<string[]> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    await chmod(dirname(path), 0o711);
    await promisify(execFile)('chown', ['-R', '65534:65534', path]);
  }
  const script = `
    import { chmod, stat } from 'node:fs/promises';
    import { openDataDirectory } from ${JSON.stringify(join(import.meta.dirname, '../../lib/local/data-directory.ts'))};
    const [path, parts] = JSON.parse(process.argv[1]);
    const messages = [];
    for (const [name, mode] of parts) {
      const part = path + '/' + name;
      const before = (await stat(part)).mode;
      await chmod(part, mode);
      messages.push(await openDataDirectory(path).then(() => 'opened', ({ message }) => message));
      await chmod(part, before);
    }
    console.log(JSON.stringify(messages));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script, JSON.stringify([path, parts])],
    isRoot ? { uid: 65_534, gid: 65_534 } : {},
  );
  return JSON.parse(stdout);
}
