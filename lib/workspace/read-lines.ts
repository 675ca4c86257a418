import { createReadStream } from 'node:fs';

/** A stored record takes at most 350 KB. Escaped JSON may be six times as long. */
const lineBytesMax = 4 * 1_048_576;
const lineFeed = 10;

/** A line of a file. Without `text`, it is too long or not UTF-8. */
export interface Line {
  readonly number: number;
  readonly text?: string;
  readonly isTooLong?: boolean;
}

/** Reads a file line by line with one line in memory. It discards the text of lines that are too long. */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let number = 1;
  const line = (): Line => (bytes > lineBytesMax ? { number, isTooLong: true } : { number, ...decode(parts, number) });
  for await (const chunk of createReadStream(file, { highWaterMark: 65_536 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      keep(chunk.subarray(start, end));
      yield line();
      parts = [];
      bytes = 0;
      number++;
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (bytes > 0) yield line();

  function keep(part: Buffer): void {
    bytes += part.length;
    if (bytes > lineBytesMax) parts = [];
    else parts.push(part);
  }
}

function decode(parts: readonly Buffer[], number: number): { text?: string } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: number > 1 }).decode(Buffer.concat(parts));
    return { text };
  } catch {
    return {};
  }
}
