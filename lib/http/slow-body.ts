import type { IncomingMessage } from 'node:http';

/** The least rate of a body that is read: so many bytes in every window of so many milliseconds. */
export interface MinimumRate {
  readonly windowMilliseconds: number;
  readonly bytesMin: number;
}

/** 4 KB a second, less than the slowest mobile network that can send a file within the time of a function. */
export const defaultMinimumRate: MinimumRate = { windowMilliseconds: 15_000, bytesMin: 60_000 };

/**
 * Destroys a request whose body arrives more slowly than this: each connection takes one of a function's few places.
 * A window counts only when we wait for the client at its start and at its end.
 */
export function destroyWhenSlow(
  request: IncomingMessage,
  { windowMilliseconds, bytesMin }: MinimumRate,
): { stop(): void } {
  const { socket } = request;
  let before = { bytes: socket.bytesRead, isWaitingForUs: false };
  const timer = setInterval(() => {
    const now = { bytes: socket.bytesRead, isWaitingForUs: request.complete || request.readableLength > 0 };
    const isWaitingForClient = !before.isWaitingForUs && !now.isWaitingForUs;
    if (isWaitingForClient && now.bytes - before.bytes < bytesMin) request.destroy();
    before = now;
  }, windowMilliseconds);
  return { stop: () => clearInterval(timer) };
}

const lingerBytesMax = 1_048_576;
const lingerMilliseconds = 2_000;

/**
 * Reads and drops a little more of a body after its answer was written: a client that is still sending would not see
 * the answer of a connection that is reset. Neither a long body nor a slow one keeps the connection open.
 */
export async function drainBriefly(request: IncomingMessage): Promise<void> {
  if (request.readableEnded) return;
  const over = setTimeout(() => request.destroy(), lingerMilliseconds);
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > lingerBytesMax) break;
    }
  } catch {
    // The client has gone, or its time is over.
  } finally {
    clearTimeout(over);
  }
}
