import { createHash, randomUUID } from 'node:crypto';
import type { Bucket } from './bucket.ts';
import { badRequest, noSuchUpload } from './s3-request.ts';

const partBytesMin = 5 * 1_048_576;
const partNumberMax = 10_000;

/** An open multipart upload. */
export interface Upload {
  readonly id: string;
  readonly key: string;
  readonly startedAt: number;
  readonly type: string;
  readonly parts: Map<number, Buffer>;
}

/** A part in the request that completes an upload. */
export interface CompletedPart {
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
