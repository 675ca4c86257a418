import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { ApiEvent, ApiResult } from './request-state.ts';
import { splitTarget } from './request-target.ts';
import { decodePath } from './router.ts';

/** The time limit of a Lambda function, less the time for its answer. */
const functionMilliseconds = 890_000;

/** A request over plain HTTP. `arriving` is its body, not read yet. */
export type WebEvent = APIGatewayProxyEventV2 & Pick<ApiEvent, 'arriving'>;

type Chain = (event: ApiEvent, context: Context) => Promise<ApiResult>;

/** The handler of plain HTTP requests, for the handler of events of the same endpoint. */
export const webHandler =
  (handler: unknown) =>
  (request: IncomingMessage, response: ServerResponse, pace?: MinimumRate): Promise<ApiEvent> =>
    answerWeb(handler as Chain, request, response, pace);

/**
 * Handles plain HTTP, for bodies that an event cannot carry, with the same chain and the same answer.
 * @returns the event, with the state that the chain has set
 */
async function answerWeb(
  chain: Chain,
  request: IncomingMessage,
  response: ServerResponse,
  pace: MinimumRate = defaultMinimumRate,
): Promise<ApiEvent> {
  const event = webEvent(request) as ApiEvent;
  const deadline = setTimeout(() => request.destroy(), functionMilliseconds);
  const watch = watchPace(request, pace, () => request.destroy());
  const { statusCode = 200, headers = {}, body = '' } = await chain(event, webContext());
  clearTimeout(deadline);
  if (response.destroyed || (request.destroyed && !request.complete)) {
    watch.stop();
    return event;
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  response.setHeader('content-length', Buffer.byteLength(body));
  if (!request.readableEnded) response.setHeader('connection', 'close');
  response.writeHead(statusCode);
  response.write(body);
  await drain(request);
  watch.stop();
  response.end();
  return event;
}

function webEvent(request: IncomingMessage): WebEvent {
  const { method = '', url = '', socket } = request;
  const { path, query } = splitTarget(url);
  // Repeated headers are joined like at the gateway. Node's own `headers` drop some of them.
  const distinct = Object.entries(request.headersDistinct);
  const headers = Object.fromEntries(distinct.map(([name, values = []]) => [name, values.join(',')]));
  const now = Date.now();
  const rawPath = decodePath(path) ?? path;
  const sourceIp = socket.remoteAddress ?? '';
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString: query,
    headers,
    requestContext: {
      accountId: '',
      apiId: '',
      domainName: headers['host'] ?? '',
      domainPrefix: '',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId: '',
      routeKey: '$default',
      stage: '$default',
      time: '',
      timeEpoch: now,
    },
    isBase64Encoded: false,
    arriving: request,
  };
}

function webContext(): Context {
  const deadline = Date.now() + functionMilliseconds;
  return {
    awsRequestId: randomUUID(),
    getRemainingTimeInMillis: () => deadline - Date.now(),
  } as Context;
}

/** The minimum rate of an arriving body: bytes in each window of time. */
export interface MinimumRate {
  readonly windowMilliseconds: number;
  readonly bytesMin: number;
}

/** 4 KB a second: below the slowest network that could send a file within a function's time limit. */
export const defaultMinimumRate: MinimumRate = { windowMilliseconds: 15_000, bytesMin: 60_000 };

/**
 * Watches for a body that arrives more slowly, because a function has few connections. A time window counts only if the
 * function waits for the client at its start and at its end.
 */
export function watchPace(
  request: IncomingMessage,
  { windowMilliseconds, bytesMin }: MinimumRate,
  onSlow: () => void,
): { stop(): void } {
  const { socket } = request;
  let before = { bytes: socket.bytesRead, isWaitingForUs: false };
  const timer = setInterval(() => {
    const now = { bytes: socket.bytesRead, isWaitingForUs: request.complete || request.readableLength > 0 };
    const isWaitingForClient = !before.isWaitingForUs && !now.isWaitingForUs;
    if (isWaitingForClient && now.bytes - before.bytes < bytesMin) onSlow();
    before = now;
  }, windowMilliseconds).unref();
  return { stop: () => clearInterval(timer) };
}

const lingerBytesMax = 131 * 1_048_576;
const lingerMilliseconds = 45_000;

/**
 * Reads and drops the rest of a body after its answer, up to the largest upload, and for less time than the distribution
 * waits. A client that is still sending would not see the answer after a reset of the connection. A web function of
 * Lambda hands over no answer before the request has ended.
 */
async function drain(request: IncomingMessage): Promise<void> {
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
