import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** The time in which a client may send the rest of a body that has its answer already. */
const lingerMilliseconds = 2_000;

/**
 * Reads a body, at most one byte more than the limit. The rest may still arrive after the answer
 * (`closeAfterAnswers`).
 * @returns undefined when the client disconnects before the end
 */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  // Most requests have no body. An iterator would cost more than the rest of their way through the front.
  if (!hasBody(request)) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    const arriving: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of arriving) {
      chunks.push(chunk.subarray(0, bytesMax + 1 - length));
      length += chunk.length;
      if (length > bytesMax) break;
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

/** A request without these headers ends with its head (RFC 9112 section 6.3). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/**
 * Bounds the time of a body after its answer. The client may send the rest of it for a moment, because it might miss
 * its answer when the connection is closed while it sends.
 */
export function closeAfterAnswers(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('finish', () => {
      if (request.complete) return;
      request.resume();
      const timer = setTimeout(() => request.socket.destroy(), lingerMilliseconds).unref();
      request.once('close', () => clearTimeout(timer));
    });
  });
}
