import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from '../start-failure.ts';
import type { StoredObject } from './stored-object.ts';

const suffix = '.json';

/** Keeps the metadata of each object in a file, named after the hash of its key. */
export class Catalogue {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async load(): Promise<StoredObject[]> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const names = await readdir(this.#directory);
    await Promise.all(names.filter((name) => !name.endsWith(suffix)).map((name) => rm(join(this.#directory, name))));
    const objects: StoredObject[] = [];
    for (const name of names.filter((name) => name.endsWith(suffix))) objects.push(await this.#read(name));
    return objects;
  }

  async save(object: StoredObject): Promise<void> {
    const path = this.#pathOf(object.key);
    // After a kill there is either the old file or the new one.
    await writeFile(`${path}.new`, JSON.stringify(object), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  async #read(name: string): Promise<StoredObject> {
    const path = join(this.#directory, name);
    try {
      const object: StoredObject = JSON.parse(await readFile(path, 'utf8'));
      if (this.#pathOf(object.key) !== path || !Array.isArray(object.blobs)) throw new Error('it has another content');
      return object;
    } catch (error) {
      throw new StartFailure(
        `${path} cannot be read: ${(error as Error).message}. Put back a copy of the whole data directory, or start with another one.`,
      );
    }
  }

  #pathOf(key: string): string {
    return join(this.#directory, `${createHash('sha256').update(key).digest('hex')}${suffix}`);
  }
}
