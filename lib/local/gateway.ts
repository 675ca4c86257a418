import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { fallbackFunction } from '#lib/endpoints.ts';
import type { Endpoint } from '#lib/http/declaration.ts';
import { splitTarget } from '#lib/http/request-target.ts';
import { decodePath, findRoute, type Route } from '#lib/http/router.ts';
import { headersTooLarge } from './connections.ts';
import { functionUrlEvent, httpApiEvent } from './event.ts';
import type { FunctionHost } from './function-host.ts';
import { errorAnswer, type HttpAnswer, jsonAnswer, openAnswer, readBody, readResult } from './http-server.ts';
import { answerLocalPage, type LocalPages } from './local-pages.ts';
import { headBytes, type RequestLimits } from './request-limits.ts';

export interface Gateway {
  readonly routes: readonly Route[];
  /** By the names of their functions. Those with streamed answers are behind function URLs. */
  readonly endpoints: ReadonlyMap<string, Pick<Endpoint, 'requestBodyMode' | 'responseMode'>>;
  readonly functions: FunctionHost;
  readonly limits: RequestLimits;
  readonly pages: LocalPages;
}

/**
 * Imitates the HTTP API and the function URLs. It finds the function, makes its event and reads its result.
 * @returns undefined when the request is answered already, or the client has disconnected
 */
export async function answerRequest(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<HttpAnswer | undefined> {
  const { limits, functions } = gateway;
  const local = refuseHead(request, limits) ?? (await answerLocalPage(gateway.pages, request));
  if (local) return local;
  const { name, routeKey, pathParameters } = pickFunction(gateway.routes, request);
  const web = limits.platform ? undefined : functions.web(name);
  if (web) {
    await web(request, response);
    return undefined;
  }
  const { requestBodyMode, responseMode }: Partial<Endpoint> = gateway.endpoints.get(name) ?? {};
  const isStreamed = responseMode === 'streamed';
  const bytesMax = requestBodyMode === 'streamed' ? limits.uploadBytesMax : limits.bodyBytesMax;
  const body = await readBody(request, bytesMax);
  if (!body) return undefined;
  const event = (isStreamed ? functionUrlEvent : httpApiEvent)({
    method: request.method ?? '',
    url: request.url ?? '',
    headers: headerPairs(request),
    body,
    sourceIp: request.socket.remoteAddress ?? '',
    requestId: crypto.randomUUID(),
    routeKey,
    pathParameters,
  });
  if (limits.platform && isTooLargeForPlatform(limits.platform, body.length, event)) {
    return jsonAnswer(413, { message: 'Request Entity Too Large' });
  }
  if (isStreamed) {
    await functions.stream(name, event, (head) => openAnswer(response, readResult(head)));
    return undefined;
  }
  const result = await functions.invoke(name, event, () => watchClient(response));
  if (limits.platform && jsonBytes(result) > limits.platform.eventBytesMax) {
    return jsonAnswer(500, { message: 'Internal Server Error' });
  }
  return readResult(result);
}

function refuseHead(request: IncomingMessage, { headBytesMax }: RequestLimits): HttpAnswer | undefined {
  if (headBytes(request) > headBytesMax) return headersTooLarge();
  const hosts = request.headersDistinct['host']?.length ?? 0;
  if (hosts > 1 || (request.httpVersion === '1.1' && hosts === 0)) {
    return errorAnswer(400, 'invalid_request', 'An HTTP/1.1 request must have one Host header.');
  }
  return undefined;
}

function pickFunction(routes: readonly Route[], { method = '', url = '' }: IncomingMessage) {
  const path = decodePath(splitTarget(url).path);
  const match = path === undefined ? undefined : findRoute(routes, method, path);
  if (match?.kind !== 'found') return { name: fallbackFunction, routeKey: '$default' };
  const { route, params } = match;
  return { name: route.name, routeKey: `${method} ${route.path}`, pathParameters: params };
}

const headerPairs = ({ headersDistinct }: IncomingMessage) =>
  Object.entries(headersDistinct).flatMap(([name, values = []]) => values.map((value) => [name, value] as const));

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

function isTooLargeForPlatform(
  { payloadBytesMax, eventBytesMax }: NonNullable<RequestLimits['platform']>,
  bodyBytes: number,
  event: APIGatewayProxyEventV2,
): boolean {
  return bodyBytes > payloadBytesMax || jsonBytes(event) > eventBytesMax;
}

const askMilliseconds = 100;

/**
 * Watches the client of a request that has no answer yet. A client that has left and one that has closed only its half
 * of the connection look the same. So such a client gets interim answers (100): the system of a client that has left
 * refuses them.
 * @returns a signal that aborts when the client has left
 */
function watchClient(response: ServerResponse): AbortSignal {
  const { socket, httpVersion } = response.req;
  const left = new AbortController();
  if (response.destroyed || socket.destroyed) {
    left.abort();
    return left.signal;
  }
  let timer: NodeJS.Timeout | undefined;
  const ask = () => {
    if (response.headersSent) clearInterval(timer);
    else response.writeContinue();
  };
  const askRepeatedly = () => {
    // HTTP/1.0 has no interim answers.
    if (httpVersion === '1.0') return;
    ask();
    timer = setInterval(ask, askMilliseconds);
  };
  response.once('close', () => {
    clearInterval(timer);
    socket.off('end', askRepeatedly);
    if (!response.writableFinished) left.abort();
  });
  if (socket.readableEnded) askRepeatedly();
  else socket.once('end', askRepeatedly);
  return left.signal;
}
