import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from '../start-failure.ts';

/** The bytes of one request body. */
export interface Blob {
  readonly id: string;
  readonly size: number;
  /** Hexadecimal. */
  readonly md5: string;
}

/** Stores bytes in files with random names, so an object key can never traverse the file system. */
export class Blobs {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * @param used blobs of stored objects; other files, e.g. of a killed process, are removed
   * @throws StartFailure for a blob that is missing or incomplete
   */
  static async open(directory: string, used: readonly Blob[]): Promise<Blobs> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const blobs = new Blobs(directory);
    for (const blob of used) await blobs.#requireWhole(blob);
    const usedIds = new Set(used.map(({ id }) => id));
    const stale = (await readdir(directory)).filter((name) => !usedIds.has(name));
    await Promise.all(stale.map((name) => rm(join(directory, name), { force: true })));
    return blobs;
  }

  async #requireWhole({ id, size }: Blob): Promise<void> {
    const path = this.#pathOf(id);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() && found.size === size) return;
    const problem = found?.isFile() ? `has ${found.size} of ${size} bytes` : 'is missing';
    throw new StartFailure(
      `The stored file ${path} ${problem}. Put back a copy of the whole data directory, or start with another one.`,
    );
  }

  /** Stores a whole body. When the body fails, nothing is stored. */
  async store(body: AsyncIterable<Buffer>): Promise<Blob> {
    const id = randomUUID();
    const file = await open(this.#pathOf(id), 'wx', 0o600);
    const md5 = createHash('md5');
    let size = 0;
    try {
      for await (const piece of body) {
        size += piece.length;
        md5.update(piece);
        await file.writeFile(piece);
      }
      await file.close();
      return { id, size, md5: md5.digest('hex') };
    } catch (error) {
      await file.close();
      await rm(this.#pathOf(id), { force: true });
      throw error;
    }
  }

  /** @param end exclusive */
  async *read({ id }: Blob, start: number, end: number): AsyncGenerator<Buffer> {
    if (end > start) yield* createReadStream(this.#pathOf(id), { start, end: end - 1 }) as AsyncIterable<Buffer>;
  }

  async remove({ id }: Blob): Promise<void> {
    await rm(this.#pathOf(id), { force: true });
  }

  #pathOf(id: string): string {
    return join(this.#directory, id);
  }
}
