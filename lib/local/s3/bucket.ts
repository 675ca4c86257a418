import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { badRequest, noSuchUpload, preconditionFailed } from './s3-request.ts';

/** The file of the objects, in the folder of the embedded S3. */
export const objectsFile = 'objects.db';

export interface ObjectHead {
  readonly key: string;
  /** With its quotes. */
  readonly etag: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly type: string;
}

const columns = 'key, etag, size, modifiedAt, type';

/** The objects of the bucket, in a database. So a write is whole or absent after a kill, and no key becomes a path. */
export class Bucket {
  readonly name: string;
  readonly #database: DatabaseSync;

  /** @param directory by default the database is temporary: its file has no name, and ends with this process */
  constructor(name: string, directory?: string) {
    this.name = name;
    if (directory !== undefined) mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#database = new DatabaseSync(directory === undefined ? '' : join(directory, objectsFile));
    // The content is last, so that the others are read without it. A deleted object gives its space back.
    this.#database.exec(
      'PRAGMA auto_vacuum = FULL; CREATE TABLE IF NOT EXISTS objects (key TEXT PRIMARY KEY, etag TEXT, size INTEGER, modifiedAt INTEGER, type TEXT, content BLOB)',
    );
  }

  head(key: string): ObjectHead | undefined {
    const find = this.#database.prepare(`SELECT ${columns} FROM objects WHERE key = ?`);
    return find.get(key) as ObjectHead | undefined;
  }

  /** The objects of a key prefix, sorted by the bytes of their keys. */
  list(prefix: string): ObjectHead[] {
    const find = this.#database.prepare(`SELECT ${columns} FROM objects WHERE key >= ? ORDER BY key`);
    return (find.all(prefix) as unknown as ObjectHead[]).filter(({ key }) => key.startsWith(prefix));
  }

  /** @param end exclusive */
  read(key: string, start: number, end: number): Uint8Array {
    const find = this.#database.prepare('SELECT substr(content, ?, ?) AS bytes FROM objects WHERE key = ?');
    // SQLite has no empty part of a value.
    return (find.get(start + 1, end - start, key)?.['bytes'] ?? new Uint8Array()) as Uint8Array;
  }

  /**
   * @param isNew allows no overwrite
   * @throws S3Error 412
   */
  put({ key, etag, type }: Pick<ObjectHead, 'key' | 'etag' | 'type'>, content: Buffer, isNew: boolean): void {
    const verb = isNew ? 'INSERT OR IGNORE' : 'INSERT OR REPLACE';
    const put = this.#database.prepare(`${verb} INTO objects VALUES (?, ?, ?, ?, ?, ?)`);
    const { changes } = put.run(key, etag, content.length, Date.now(), type, content);
    if (changes === 0) throw preconditionFailed();
  }

  remove(key: string): void {
    this.#database.prepare('DELETE FROM objects WHERE key = ?').run(key);
  }

  /** Removes the objects of a key prefix that are older than this number of milliseconds. */
  expire(prefix: string, age: number): void {
    const expired = this.list(prefix).filter(({ modifiedAt }) => modifiedAt < Date.now() - age);
    for (const { key } of expired) this.remove(key);
  }

  close(): void {
    this.#database.close();
  }
}

const partBytesMin = 5 * 1_048_576;
const partNumberMax = 10_000;

/** An open multipart upload. */
interface Upload {
  readonly id: string;
  readonly key: string;
  readonly startedAt: number;
  readonly type: string;
  readonly parts: Map<number, Buffer>;
}

/** A part in the request that completes an upload. */
interface CompletedPart {
  readonly number: number;
  readonly etag: string;
}

/** The open multipart uploads, in memory. They end with the process. */
export class Uploads {
  readonly #bucket: Bucket;
  readonly #open = new Map<string, Upload>();

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  start(key: string, type: string): Upload {
    const upload = { id: randomUUID(), key, startedAt: Date.now(), type, parts: new Map() };
    this.#open.set(upload.id, upload);
    return upload;
  }

  /** The open uploads of a key prefix, oldest first. */
  list(prefix: string): Upload[] {
    return [...this.#open.values()].filter(({ key }) => key.startsWith(prefix));
  }

  /** @throws S3Error 404 */
  get(id: string, key: string): Upload {
    const upload = this.#open.get(id);
    if (!upload || upload.key !== key) throw noSuchUpload();
    return upload;
  }

  /** @returns the part's ETag */
  async addPart({ id, key }: Upload, number: number, body: Promise<Buffer>): Promise<string> {
    const content = await body;
    if (!(Number.isInteger(number) && number >= 1 && number <= partNumberMax)) {
      throw badRequest('InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive');
    }
    this.get(id, key).parts.set(number, content);
    return `"${md5Of(content)}"`;
  }

  /** Makes the object of the listed parts. @returns its ETag */
  complete({ id, key, type, parts }: Upload, listed: readonly CompletedPart[], isNew: boolean): string {
    const contents = listed.map(({ number, etag }, index) => {
      if (index > 0 && number <= (listed[index - 1] as CompletedPart).number) {
        throw badRequest('InvalidPartOrder', 'The list of parts was not in ascending order.');
      }
      const content = parts.get(number);
      if (!content || etag.replaceAll('"', '') !== md5Of(content)) {
        throw badRequest('InvalidPart', 'One or more of the specified parts could not be found.');
      }
      return content;
    });
    if (contents.slice(0, -1).some(({ length }) => length < partBytesMin)) {
      throw badRequest('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
    }
    if (contents.length === 0) throw badRequest('MalformedXML', 'You must specify at least one part');
    const sums = Buffer.concat(contents.map((content) => Buffer.from(md5Of(content), 'hex')));
    const etag = `"${md5Of(sums)}-${contents.length}"`;
    this.#open.delete(id);
    this.#bucket.put({ key, etag, type }, Buffer.concat(contents), isNew);
    return etag;
  }

  abort({ id }: Upload): void {
    this.#open.delete(id);
  }
}

export const md5Of = (content: Buffer): string => createHash('md5').update(content).digest('hex');
