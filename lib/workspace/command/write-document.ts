import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes a text to standard output, at the speed of its reader. */
export async function writeDocument(document: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(document), process.stdout, { end: false });
  } catch (error) {
    // The reader, such as `head`, has closed the pipe. The program itself reports every other failure of standard output.
    if ((error as NodeJS.ErrnoException).syscall !== 'write') throw error;
  }
}
