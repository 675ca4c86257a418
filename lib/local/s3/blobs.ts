import { createHash } from 'node:crypto';

/** Bytes that were stored in one go. */
export interface Blob {
  readonly id: string;
  readonly size: number;
  /** Hexadecimal. */
  readonly md5: string;
}

/** Where bytes are kept: in memory or in files. */
export interface Blobs {
  /** Stores all of a body or, when it fails, nothing. */
  store(body: AsyncIterable<Buffer>): Promise<Blob>;
  /** @param end exclusive */
  read(blob: Blob, start: number, end: number): AsyncIterable<Buffer>;
  remove(blob: Blob): Promise<void>;
}

/** Passes bytes on and says at the end what they were. */
export async function measured(
  body: AsyncIterable<Buffer>,
  take: (piece: Buffer) => void | Promise<void>,
): Promise<Omit<Blob, 'id'>> {
  const md5 = createHash('md5');
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    md5.update(piece);
    await take(piece);
  }
  return { size, md5: md5.digest('hex') };
}
