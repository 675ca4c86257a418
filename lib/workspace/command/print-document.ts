import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes a text to standard output as fast as it is read there. */
export async function printDocument(document: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(document), process.stdout, { end: false });
  } catch (error) {
    // Whoever reads it, such as `head`, has seen enough; what else keeps it from being written, the program says.
    if ((error as NodeJS.ErrnoException).syscall !== 'write') throw error;
  }
}
