import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes a text to standard output as fast as it is read there. */
export async function printDocument(document: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(document), process.stdout, { end: false });
  } catch (error) {
    // Whoever reads it, such as `head`, has seen enough.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
