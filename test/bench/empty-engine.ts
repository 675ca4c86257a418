import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface EmptyEngine {
  readonly endpoint: string;
  /** The number of answered calls. */
  readonly calls: () => number;
  stop(): void;
}

/**
 * Answers the reads of an empty table immediately, so that the latency of the real engine does not affect a measured
 * start.
 */
export async function startEmptyEngine(): Promise<EmptyEngine> {
  let calls = 0;
  const server = createServer(async (request, response) => {
    calls++;
    const asked = JSON.parse(await text(request)) as { RequestItems?: Record<string, unknown> };
    const tables = Object.keys(asked.RequestItems ?? {});
    const found = { Responses: Object.fromEntries(tables.map((name) => [name, []])), UnprocessedKeys: {} };
    const consumed = { ConsumedCapacity: tables.map((TableName) => ({ TableName, CapacityUnits: 1 })) };
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify({ ...found, ...consumed }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, calls: () => calls, stop: () => server.close() };
}
