import type { IncomingMessage } from 'node:http';

export interface RequestBody {
  /** The first bytes, at most the limit and one more. */
  readonly bytes: Buffer;
  /** Length of the whole body. */
  readonly length: number;
}

/**
 * Reads a body to its end, and keeps its first bytes. It drains the rest, because a client that is still sending would
 * miss the answer.
 * @returns undefined when the client disconnects before the end
 */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<RequestBody | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  let room = bytesMax + 1;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (room > 0) chunks.push(chunk.subarray(0, room));
      room -= chunk.length;
    }
  } catch {
    return undefined;
  }
  return { bytes: Buffer.concat(chunks), length };
}
