import type { IncomingMessage } from 'node:http';

/** The minimum rate of an arriving body: bytes in each window of time. */
export interface MinimumRate {
  readonly windowMilliseconds: number;
  readonly bytesMin: number;
}

/** 4 KB a second: below the slowest network that could send a file within a function's time limit. */
export const defaultMinimumRate: MinimumRate = { windowMilliseconds: 15_000, bytesMin: 60_000 };

/**
 * Destroys a request whose body arrives more slowly, because a function has few connections. A time window counts only
 * if the function waits for the client at its start and at its end.
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
 * Reads and drops more of a body after its answer, within bounds of size and time. After a reset of the connection, a
 * client that is still sending would not see the answer.
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
    // The client has disconnected, or the time limit has passed.
  } finally {
    clearTimeout(over);
  }
}
