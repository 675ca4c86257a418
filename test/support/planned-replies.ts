import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface PlannedReply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Breaks the connection before the reply, or after half of its body. */
  readonly breaks?: 'before' | 'halfway';
}

interface ReceivedCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * A server that answers calls with the results of a function, and records them. DynamoDB Local lacks some refusals of
 * AWS.
 */
export async function replyingServer(replyTo: (call: ReceivedCall, index: number) => PlannedReply) {
  const calls: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    const call = { headers: request.headers, body: await text(request) };
    const { status, headers, body = '', breaks } = replyTo(call, calls.push(call) - 1);
    if (breaks === 'before') return request.socket.resetAndDestroy();
    response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
    if (breaks !== 'halfway') return response.end(body);
    response.write(body.slice(0, body.length / 2), () => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { endpoint, calls, stop };
}
