import { randomUUID } from 'node:crypto';
import { type Blob, type Blobs, measured } from './blobs.ts';
import { S3Error } from './s3-error.ts';

/** Keeps bytes in memory, up to a total. */
export class MemoryBlobs implements Blobs {
  readonly #bytesMax: number;
  readonly #pieces = new Map<string, readonly Buffer[]>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  async store(body: AsyncIterable<Buffer>): Promise<Blob> {
    const pieces: Buffer[] = [];
    let taken = 0;
    try {
      const { size, md5 } = await measured(body, (piece) => {
        taken += piece.length;
        this.#bytes += piece.length;
        if (this.#bytes > this.#bytesMax) throw full();
        pieces.push(piece);
      });
      const id = randomUUID();
      this.#pieces.set(id, pieces);
      return { id, size, md5 };
    } catch (error) {
      this.#bytes -= taken;
      throw error;
    }
  }

  async *read({ id }: Blob, start: number, end: number): AsyncGenerator<Buffer> {
    let offset = 0;
    for (const piece of this.#pieces.get(id) ?? []) {
      const part = piece.subarray(Math.max(0, start - offset), Math.max(0, end - offset));
      if (part.length > 0) yield part;
      offset += piece.length;
    }
  }

  async remove({ id, size }: Blob): Promise<void> {
    if (this.#pieces.delete(id)) this.#bytes -= size;
  }
}

const full = () =>
  new S3Error(507, 'InsufficientStorage', 'The embedded S3 keeps no more in memory; start with --data DIR.');
