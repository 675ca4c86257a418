import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Blob, type Blobs, measured } from './blobs.ts';

/** Keeps bytes in files of random names, so that no name of anybody's becomes a path. */
export class FileBlobs implements Blobs {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** @param known the blobs that are still needed; what a killed process has left beside them goes */
  static async open(directory: string, known: ReadonlySet<string>): Promise<FileBlobs> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const stale = (await readdir(directory)).filter((name) => !known.has(name));
    await Promise.all(stale.map((name) => rm(join(directory, name), { force: true })));
    return new FileBlobs(directory);
  }

  async store(body: AsyncIterable<Buffer>): Promise<Blob> {
    const id = randomUUID();
    const file = await open(this.#pathOf(id), 'wx', 0o600);
    try {
      const { size, md5 } = await measured(body, async (piece) => void (await file.writeFile(piece)));
      await file.close();
      return { id, size, md5 };
    } catch (error) {
      await file.close();
      await rm(this.#pathOf(id), { force: true });
      throw error;
    }
  }

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
