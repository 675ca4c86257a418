import { join } from 'node:path';
import { type Blob, Blobs } from './blobs.ts';
import { Catalogue } from './catalogue.ts';
import { preconditionFailed } from './s3-error.ts';
import type { StoredObject } from './stored-object.ts';

/** The objects of the bucket. */
export class ObjectStore {
  readonly blobs: Blobs;
  readonly #objects: Map<string, StoredObject>;
  readonly #catalogue: Catalogue;
  /** The last write to the catalogue. Writes never overlap, so the files have the order of the map. */
  #lastWrite: Promise<unknown> = Promise.resolve();

  private constructor(blobs: Blobs, objects: readonly StoredObject[], catalogue: Catalogue) {
    this.blobs = blobs;
    this.#objects = new Map(objects.map((object) => [object.key, object]));
    this.#catalogue = catalogue;
  }

  static async open(directory: string): Promise<ObjectStore> {
    const catalogue = new Catalogue(join(directory, 'objects'));
    const objects = await catalogue.load();
    const blobs = await Blobs.open(
      join(directory, 'blobs'),
      objects.flatMap(({ blobs }) => blobs),
    );
    return new ObjectStore(blobs, objects, catalogue);
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** The objects of a key prefix, sorted by the bytes of their keys. */
  list(prefix: string): StoredObject[] {
    const objects = [...this.#objects.values()].filter(({ key }) => key.startsWith(prefix));
    return objects.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  }

  /**
   * @param isNew allows no overwrite
   * @throws S3Error 412
   */
  async put(object: StoredObject, isNew: boolean): Promise<void> {
    const replaced = this.#objects.get(object.key);
    if (isNew && replaced) {
      await this.#discard(object.blobs);
      throw preconditionFailed();
    }
    this.#objects.set(object.key, object);
    try {
      await this.#write((catalogue) => catalogue.save(object));
    } catch (error) {
      if (replaced) this.#objects.set(object.key, replaced);
      else this.#objects.delete(object.key);
      await this.#discard(object.blobs);
      throw error;
    }
    await this.#discard(replaced?.blobs ?? []);
  }

  async remove(key: string): Promise<void> {
    const object = this.#objects.get(key);
    if (!object) return;
    this.#objects.delete(key);
    await this.#write((catalogue) => catalogue.remove(key));
    await this.#discard(object.blobs);
  }

  /** @param end exclusive */
  async *read({ blobs }: StoredObject, start: number, end: number): AsyncGenerator<Buffer> {
    let offset = 0;
    for (const blob of blobs) {
      const from = Math.max(0, start - offset);
      const to = Math.min(blob.size, end - offset);
      if (from < to) yield* this.blobs.read(blob, from, to);
      offset += blob.size;
    }
  }

  #write(change: (catalogue: Catalogue) => Promise<void>): Promise<void> {
    const write = this.#lastWrite.then(() => change(this.#catalogue));
    this.#lastWrite = write.catch(() => undefined);
    return write;
  }

  async #discard(blobs: readonly Blob[]): Promise<void> {
    await Promise.all(blobs.map((blob) => this.blobs.remove(blob)));
  }
}
