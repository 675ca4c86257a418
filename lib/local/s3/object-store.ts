import { join } from 'node:path';
import type { Blob, Blobs } from './blobs.ts';
import { Catalogue } from './catalogue.ts';
import { FileBlobs } from './file-blobs.ts';
import { MemoryBlobs } from './memory-blobs.ts';
import { preconditionFailed } from './s3-error.ts';
import type { StoredObject } from './stored-object.ts';

/** Large enough for the tests and a day at a desk, small enough for the machine. */
const memoryBytesMax = 1_024 * 1_048_576;

/** The objects of the one bucket. */
export class ObjectStore {
  readonly blobs: Blobs;
  readonly #objects: Map<string, StoredObject>;
  readonly #catalogue: Catalogue | undefined;
  /** Changes of one key are written one after the other, in the order in which they counted. */
  #written: Promise<unknown> = Promise.resolve();

  private constructor(blobs: Blobs, objects: readonly StoredObject[] = [], catalogue?: Catalogue) {
    this.blobs = blobs;
    this.#objects = new Map(objects.map((object) => [object.key, object]));
    this.#catalogue = catalogue;
  }

  /** @param directory without one everything lives in memory, up to so many bytes */
  static async open(directory?: string, bytesMax: number = memoryBytesMax): Promise<ObjectStore> {
    if (directory === undefined) return new ObjectStore(new MemoryBlobs(bytesMax));
    const catalogue = new Catalogue(join(directory, 'objects'));
    const objects = await catalogue.load();
    const known = new Set(objects.flatMap(({ blobs }) => blobs.map(({ id }) => id)));
    return new ObjectStore(await FileBlobs.open(join(directory, 'blobs'), known), objects, catalogue);
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** Every key, in the order of its UTF-8 bytes. */
  keys(): string[] {
    return [...this.#objects.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }

  /**
   * @param once refuses when the key is taken
   * @throws S3Error 412
   */
  async put(object: StoredObject, once: boolean): Promise<void> {
    const before = this.#objects.get(object.key);
    if (once && before) {
      await this.#discard(object.blobs);
      throw preconditionFailed();
    }
    this.#objects.set(object.key, object);
    try {
      await this.#write((catalogue) => catalogue.save(object));
    } catch (error) {
      if (before) this.#objects.set(object.key, before);
      else this.#objects.delete(object.key);
      await this.#discard(object.blobs);
      throw error;
    }
    await this.#discard(before?.blobs ?? []);
  }

  async remove(key: string): Promise<void> {
    const before = this.#objects.get(key);
    if (!before) return;
    this.#objects.delete(key);
    await this.#write((catalogue) => catalogue.remove(key));
    await this.#discard(before.blobs);
  }

  /** @param end exclusive */
  async *read({ blobs }: StoredObject, start: number, end: number): AsyncGenerator<Buffer> {
    let offset = 0;
    for (const blob of blobs) {
      const [from, to] = [Math.max(0, start - offset), Math.min(blob.size, end - offset)];
      if (from < to) yield* this.blobs.read(blob, from, to);
      offset += blob.size;
    }
  }

  #write(change: (catalogue: Catalogue) => Promise<void>): Promise<void> {
    const catalogue = this.#catalogue;
    if (!catalogue) return Promise.resolve();
    const written = this.#written.then(() => change(catalogue));
    this.#written = written.catch(() => undefined);
    return written;
  }

  async #discard(blobs: readonly Blob[]): Promise<void> {
    await Promise.all(blobs.map((blob) => this.blobs.remove(blob)));
  }
}
