import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { splitTarget } from '#lib/http/request-target.ts';
import { decodePath, decodeRoutes, findRoute, type Route } from '#lib/http/router.ts';
import { functionUrlEvent, httpApiEvent, type RawRequest } from '#lib/local/event.ts';
import { installRuntime, isStreaming } from '#lib/local/function-host.ts';
import { type AnswerHead, ResponseStream } from '#lib/local/response-stream.ts';

export interface Call {
  /** An API key, sent as a bearer token. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, except text and bytes. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The `Set-Cookie` headers, one by one. */
  readonly cookies: readonly string[];
  readonly text: string;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its answer.
  readonly json: any;
}

const routes: readonly Route[] = decodeRoutes(process.env['ROUTES']);

installRuntime();

/**
 * Runs one request through the real router, event and handler, against the real table.
 * @throws when a streamed answer is incomplete
 */
export async function call(request: string, options: Call = {}): Promise<Answer> {
  const { handler, raw } = await prepare(request, options);
  if (isStreaming(handler)) {
    const { status, headers, body } = await openStream(handler, raw);
    return answerOf(status, headers, await buffer(body));
  }
  return answerOfResult(await handler(httpApiEvent(raw), newContext(longMilliseconds)));
}

/** The client's answer for the result of a function without streaming. */
export function answerOfResult(result: APIGatewayProxyStructuredResultV2): Answer {
  const { statusCode = 200, headers = {}, cookies = [], body = '', isBase64Encoded } = result;
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  return { ...answerOf(statusCode, Object.fromEntries(texts), bytes), cookies };
}

/** A streamed answer after its first byte. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Rejects when the answer is incomplete. */
  readonly body: PassThrough;
  /** Resolves when the function has ended, and rejects with its error. */
  readonly ended: Promise<unknown>;
}

/** Like `call`, for a streaming function. It resolves at the first byte. */
export async function callStream(request: string, options: Call = {}): Promise<OpenAnswer> {
  const { handler, raw } = await prepare(request, options);
  return openStream(handler, raw);
}

// biome-ignore lint/suspicious/noExplicitAny: each function has another type.
export type Handler = any;

/** Like `call`, but without route matching, as a function URL and a route for ANY forward every request. */
export async function callFunction(name: string, request: string, options: Call = {}): Promise<Answer> {
  const { handler, raw } = await prepare(request, options, name);
  if (!isStreaming(handler)) return answerOfResult(await handler(httpApiEvent(raw), newContext(longMilliseconds)));
  const { status, headers, body } = await openStream(handler, raw);
  return answerOf(status, headers, await buffer(body));
}

async function prepare(request: string, options: Call, name = functionOf(request)) {
  const { handler }: { handler: Handler } = await import(`../../functions/${name}/handler.ts`);
  return { handler, raw: rawRequest(request, options) };
}

/** A request as it arrives at the front. */
export function rawRequest(request: string, { key, headers = {}, body }: Call): RawRequest {
  const [method = '', url = ''] = request.split(/ (.*)/, 2);
  return {
    method,
    url,
    headers: Object.entries({
      host: '127.0.0.1',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }),
    body: bytesOf(body),
    sourceIp: '127.0.0.1',
    requestId: randomUUID(),
    routeKey: '$default',
  };
}

/** The name of the function that a request is routed to. */
export function functionOf(request: string): string {
  const [method = '', url = ''] = request.split(/ (.*)/, 2);
  const path = decodePath(splitTarget(url).path);
  const match = path === undefined ? undefined : findRoute(routes, method, path);
  return match?.kind === 'found' ? match.route.name : 'route-unknown';
}

/** Runs a streaming function as a function URL does. It resolves at the first byte. */
export async function openStream(handler: Handler, raw: RawRequest): Promise<OpenAnswer> {
  const body = new PassThrough();
  // A test that does not read the body does not handle its error.
  body.on('error', () => undefined);
  const opened = Promise.withResolvers<AnswerHead>();
  const stream = new ResponseStream((head) => {
    opened.resolve(head);
    return body;
  });
  stream.on('error', () => undefined);
  const ended: Promise<unknown> = handler(functionUrlEvent(raw), stream, newContext());
  ended.catch(opened.reject);
  const { statusCode = 200, headers = {} } = await opened.promise;
  return { status: statusCode, headers, body, ended };
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function answerOf(status: number, headers: Readonly<Record<string, string>>, bytes: Buffer): Answer {
  const isJson = headers['content-type']?.startsWith('application/json') && bytes.length > 0;
  const text = (bytes.length > 0 ? expanded(bytes, headers['content-encoding']) : bytes).toString();
  return { status, headers, cookies: [], text, bytes, json: isJson ? JSON.parse(text) : undefined };
}

const expanded = (bytes: Buffer, coding: string | undefined): Buffer =>
  coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;

/** Middy ends a function at its deadline on the machine's clock, and so would end one that a busy machine delays. */
const longMilliseconds = 600_000;

const newContext = (milliseconds = 10_000) =>
  ({ awsRequestId: randomUUID(), getRemainingTimeInMillis: () => milliseconds }) as unknown as Context;
