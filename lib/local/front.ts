import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { errorAnswer, writeAnswer } from './answer.ts';
import { Connections } from './connections.ts';
import { portTaken } from './free-port.ts';
import { answerRequest, type Gateway } from './gateway.ts';

const keepAliveMilliseconds = 60_000;
const silentMillisecondsMaxDefault = 120_000;
const finishMillisecondsMax = 5_000;

export interface FrontOptions extends Gateway {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Milliseconds without a byte that end a connection whose request or answer is under way. @default 120,000 */
  readonly silentMillisecondsMax?: number;
}

export interface Front {
  readonly port: number;
  /** Ends idle connections at once and the others when their requests are answered, within five seconds. */
  stop(): Promise<void>;
}

/** The local stand-in for the gateway: HTTP in, one function a request, HTTP out. */
export async function startFront(options: FrontOptions): Promise<Front> {
  const { host, port, silentMillisecondsMax = silentMillisecondsMaxDefault } = options;
  const server = createServer({
    maxHeaderSize: options.limits.headBytesMax,
    keepAliveTimeout: keepAliveMilliseconds,
    requireHostHeader: false,
  });
  // A client that has sent everything may close its half. Node's default would then drop the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.timeout = silentMillisecondsMax;
  // Beyond a count Node would drop headers silently; their size bounds them already.
  server.maxHeadersCount = 0;
  // Node alone would answer an expectation that it does not know with 417 and no body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const connections = new Connections(server);
  server.on('request', async (request, response) => {
    if (await connections.turnOf(request, response)) await respond(options, request, response);
  });
  await once(server.listen(port, host), 'listening').catch(() => {
    throw portTaken(port, host);
  });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    connections.finish();
    const patience = new AbortController();
    await Promise.race([closed, delay(finishMillisecondsMax, undefined, { signal: patience.signal })]);
    patience.abort();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, stop: () => (stopped ??= stop()) };
}

async function respond(gateway: Gateway, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const answer = await answerRequest(gateway, request, response);
    if (answer) writeAnswer(response, answer);
  } catch (error) {
    console.error(error);
    if (response.headersSent) return void response.destroy();
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    writeAnswer(response, errorAnswer(500, 'internal_error', 'Internal Server Error'));
  }
}
