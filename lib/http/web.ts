import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { uploadBytesMax } from '#lib/domain/upload-limits.ts';
import type { ApiEvent, ApiResult } from './exchange.ts';
import { decodePath, splitTarget } from './request-target.ts';

/** What a Lambda web function may take, less what it needs to answer. */
const functionMilliseconds = 890_000;
/** A client that sends nothing for so long has gone, whatever its connection says. */
const idleMilliseconds = 30_000;
/** Of a body that is refused, as much is read and dropped, since a client that is still sending sees no answer. */
const droppedBytesMax = 2 * uploadBytesMax;

/** A request that arrives over plain HTTP; its body is in `arriving`, read by nobody yet. */
export type WebEvent = APIGatewayProxyEventV2 & Pick<ApiEvent, 'arriving'>;

type Chain = (event: ApiEvent, context: Context) => Promise<ApiResult>;

/**
 * Takes plain HTTP where an event could not carry the body, through the same chain and with the same answer.
 * @returns the event, with what the chain has found out about it
 */
export async function answerWeb(chain: Chain, request: IncomingMessage, response: ServerResponse): Promise<ApiEvent> {
  const event = webEvent(request) as ApiEvent;
  request.setTimeout(idleMilliseconds, () => request.destroy());
  const deadline = setTimeout(() => request.destroy(), functionMilliseconds);
  const { statusCode = 200, headers = {}, body = '' } = await chain(event, webContext());
  const isRead = await dropRest(request);
  clearTimeout(deadline);
  if (response.destroyed || (request.destroyed && !request.complete)) return event;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  if (!isRead) response.setHeader('connection', 'close');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.writeHead(statusCode);
  response.end(body);
  return event;
}

function webEvent(request: IncomingMessage): WebEvent {
  const { method = '', url = '', socket } = request;
  const { path, query } = splitTarget(url);
  const headers = foldHeaders(request.rawHeaders);
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

/** Repeats joined by commas, as the gateway does it: Node by itself would drop some. */
function foldHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const folded: Record<string, string> = Object.create(null);
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    const value = rawHeaders[index + 1] ?? '';
    folded[name] = name in folded ? `${folded[name]},${value}` : value;
  }
  return { ...folded };
}

function webContext(): Context {
  const deadline = Date.now() + functionMilliseconds;
  return {
    awsRequestId: randomUUID(),
    getRemainingTimeInMillis: () => deadline - Date.now(),
  } as Context;
}

/** @returns whether the body has been read to its end */
async function dropRest(request: IncomingMessage): Promise<boolean> {
  if (request.readableEnded) return true;
  if (Number(request.headers['content-length'] ?? 0) > droppedBytesMax) return false;
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > droppedBytesMax) return false;
    }
  } catch {
    return false;
  }
  return true;
}
