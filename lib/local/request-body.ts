import type { IncomingMessage } from 'node:http';

export interface RequestBody {
  /** The first bytes, one more than the limit at most. */
  readonly bytes: Buffer;
  /** Real length of the body. */
  readonly length: number;
}

/**
 * Reads a body to its end and keeps as much as the limit and one byte. The rest is read and dropped, because a client
 * that is still sending would not see the answer.
 * @returns undefined when the client went away before the end
 */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<RequestBody | undefined> {
  const kept: Buffer[] = [];
  let length = 0;
  let room = bytesMax + 1;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (room > 0) kept.push(chunk.subarray(0, room));
      room -= chunk.length;
    }
  } catch {
    return undefined;
  }
  return { bytes: Buffer.concat(kept), length };
}
