import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedRequest {
  /** Method and path without the prefix of visitors' routes, such as `POST ai-stream`. */
  readonly call: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its body.
  readonly body: any;
}

/** @returns the status and body of the answer; undefined if the test sends the answer itself */
export type Respond = (heard: ReceivedRequest, response: ServerResponse) => readonly [number, unknown?] | undefined;

/** Starts a server with the test's answers, so that the widget's code meets failures of real connections. */
export async function startWidgetService(respond: Respond) {
  const heard: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const call = `${request.method} ${(request.url ?? '').replace('/api/v1/connect/', '')}`;
    const said = { call, headers: request.headers, body: body === '' ? undefined : JSON.parse(body) };
    heard.push(said);
    const answer = respond(said, response);
    if (!answer) return;
    response.writeHead(answer[0], { 'content-type': 'application/json' });
    response.end(answer[1] === undefined ? undefined : JSON.stringify(answer[1]));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stop = async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, stop };
}

/** The storage of a browser. */
export function newStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  };
}

export const sessionNamed = (token: string, conversationId = 'conv_1') => ({
  token,
  conversationId,
  expiresAt: '2026-01-01T00:00:00.000Z',
  customerId: 'cus_1',
  agentId: 'agent_1',
});
