import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { preconditionFailed } from './s3-request.ts';

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
