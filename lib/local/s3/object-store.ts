import { join } from 'node:path';
import { type Blob, Blobs } from './blobs.ts';
import { Catalogue } from './catalogue.ts';
import { preconditionFailed } from './s3-error.ts';
import type { StoredObject } from './stored-object.ts';

/** The objects of the one bucket. */
export class ObjectStore {
  readonly blobs: Blobs;
  readonly #objects: Map<string, StoredObject>;
  readonly #catalogue: Catalogue;
  /** Changes of one key are written one after the other, in the order in which they counted. */
  #written: Promise<unknown> = Promise.resolve();

  private constructor(blobs: Blobs, objects: readonly StoredObject[], catalogue: Catalogue) {
    this.blobs = blobs;
    this.#objects = new Map(objects.map((object) => [object.key, object]));
    this.#catalogue = catalogue;
  }

  static async open(directory: string): Promise<ObjectStore> {
    const catalogue = new Catalogue(join(directory, 'objects'));
    const objects = await catalogue.load();
    const needed = new Set(objects.flatMap(({ blobs }) => blobs.map(({ id }) => id)));
    return new ObjectStore(await Blobs.open(join(directory, 'blobs'), needed), objects, catalogue);
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** The objects whose keys have a prefix, in the order of the bytes of the keys. */
  all(prefix: string): StoredObject[] {
    const found = [...this.#objects.values()].filter(({ key }) => key.startsWith(prefix));
    return found.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
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
    const written = this.#written.then(() => change(this.#catalogue));
    this.#written = written.catch(() => undefined);
    return written;
  }

  async #discard(blobs: readonly Blob[]): Promise<void> {
    await Promise.all(blobs.map((blob) => this.blobs.remove(blob)));
  }
}
