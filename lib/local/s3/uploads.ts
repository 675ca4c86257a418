import { createHash, randomUUID } from 'node:crypto';
import type { Blob } from './blobs.ts';
import type { ObjectStore } from './object-store.ts';
import { badRequest, noSuchUpload } from './s3-error.ts';
import type { StoredObject } from './stored-object.ts';

const partBytesMin = 5 * 1_048_576;
const partNumberMax = 10_000;

/** An open multipart upload. */
export interface Upload {
  readonly id: string;
  readonly key: string;
  readonly startedAt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, Blob>;
}

/** A part in the request that completes an upload. */
export interface CompletedPart {
  readonly number: number;
  readonly etag: string;
}

/** The open multipart uploads. They end with the process. */
export class Uploads {
  readonly #objects: ObjectStore;
  readonly #open = new Map<string, Upload>();

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  start(key: string, headers: Upload['headers']): Upload {
    const upload = { id: randomUUID(), key, startedAt: Date.now(), headers, parts: new Map() };
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
  async addPart(upload: Upload, number: number, body: AsyncIterable<Buffer>): Promise<string> {
    if (!(Number.isInteger(number) && number >= 1 && number <= partNumberMax)) {
      throw badRequest('InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive');
    }
    const { blobs } = this.#objects;
    const blob = await blobs.store(body);
    if (!this.#open.has(upload.id)) {
      await blobs.remove(blob);
      throw noSuchUpload();
    }
    const replaced = upload.parts.get(number);
    upload.parts.set(number, blob);
    if (replaced) await blobs.remove(replaced);
    return `"${blob.md5}"`;
  }

  /** Makes the object of the listed parts, and removes the other parts. */
  async complete(upload: Upload, parts: readonly CompletedPart[], isNew: boolean): Promise<StoredObject> {
    const blobs = parts.map((part, index) => {
      if (index > 0 && part.number <= (parts[index - 1] as CompletedPart).number) {
        throw badRequest('InvalidPartOrder', 'The list of parts was not in ascending order.');
      }
      const blob = upload.parts.get(part.number);
      if (!blob || part.etag.replaceAll('"', '') !== blob.md5) {
        throw badRequest('InvalidPart', 'One or more of the specified parts could not be found.');
      }
      return blob;
    });
    if (blobs.slice(0, -1).some((blob) => blob.size < partBytesMin)) {
      throw badRequest('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
    }
    if (blobs.length === 0) throw badRequest('MalformedXML', 'You must specify at least one part');
    const { key, headers } = upload;
    const size = blobs.reduce((sum, blob) => sum + blob.size, 0);
    const object = { key, headers, size, blobs, etag: etagOf(blobs), modifiedAt: Date.now() };
    this.#open.delete(upload.id);
    const unused = [...upload.parts.values()].filter((blob) => !blobs.includes(blob));
    await Promise.all(unused.map((blob) => this.#objects.blobs.remove(blob)));
    await this.#objects.put(object, isNew);
    return object;
  }

  async abort(upload: Upload): Promise<void> {
    this.#open.delete(upload.id);
    await Promise.all([...upload.parts.values()].map((blob) => this.#objects.blobs.remove(blob)));
  }
}

function etagOf(blobs: readonly Blob[]): string {
  const sums = Buffer.concat(blobs.map(({ md5 }) => Buffer.from(md5, 'hex')));
  return `"${createHash('md5').update(sums).digest('hex')}-${blobs.length}"`;
}
