import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultMinimumRate, type MinimumRate, watchPace } from '#lib/http/web.ts';
import { logError } from '#lib/http/work-log.ts';
import { Connections } from './connections.ts';
import { portTaken } from './free-port.ts';
import { answerRequest, type Gateway } from './gateway.ts';
import { closeAfterAnswers, errorAnswer, writeAnswer } from './http-server.ts';
import { settlesWithin } from './settles-within.ts';

const keepAliveMilliseconds = 60_000;
const silentMillisecondsMaxDefault = 120_000;
const finishMillisecondsMax = 5_000;

export interface FrontOptions extends Gateway {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Idle timeout of a connection during a request or an answer. @default 120,000 */
  readonly silentMillisecondsMax?: number;
  /** The minimum rate of a body; a slower one gets 408. @default 60,000 bytes in 15 s, as for files */
  readonly pace?: MinimumRate;
}

export interface Front {
  readonly port: number;
  /** Closes idle connections immediately, and the others after their requests are answered, within five seconds. */
  stop(): Promise<void>;
}

/** Starts the local gateway: it runs one function per HTTP request. @throws Failure for an unusable port */
export async function startFront(options: FrontOptions): Promise<Front> {
  const { host, port, silentMillisecondsMax = silentMillisecondsMaxDefault, pace = defaultMinimumRate } = options;
  const server = createServer({
    maxHeaderSize: options.limits.headBytesMax,
    keepAliveTimeout: keepAliveMilliseconds,
    requireHostHeader: false,
  });
  // A client may close its side of the connection after its request. Node's default would then drop the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.timeout = silentMillisecondsMax;
  // Node drops headers above its count without an error. `maxHeaderSize` bounds them already.
  server.maxHeadersCount = 0;
  // By default Node answers an unsupported expectation with 417 and no body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const connections = new Connections(server);
  closeAfterAnswers(server);
  server.on('request', async (request, response) => {
    const watch = watchPace(request, pace, () => server.emit('timeout', request.socket));
    request.once('close', watch.stop);
    response.once('close', watch.stop);
    const isConnected = await connections.waitForEarlierRequests(request, response);
    if (isConnected) await respond(options, request, response);
  });
  await once(server.listen(port, host), 'listening').catch(() => {
    throw portTaken(port, host);
  });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    connections.finish();
    await settlesWithin(finishMillisecondsMax, closed);
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, stop: () => (stopped ??= stop()) };
}

async function respond(gateway: Gateway, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const answer = await answerRequest(gateway, request, response);
    if (answer) writeAnswer(response, answer);
  } catch (error) {
    logError('A request could not be answered.', error);
    if (response.headersSent) return void response.destroy();
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    writeAnswer(response, errorAnswer(500, 'internal_error', 'Internal Server Error'));
  }
}
