import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer in the form that is sent. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/** A function's result of payload format 2.0. Every member is optional. */
interface ResultObject {
  readonly statusCode?: unknown;
  readonly headers?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

/** Reads a function's result like the gateway: without a status code the whole value is a JSON body. */
export function readResult(result: unknown): HttpAnswer {
  const { statusCode, headers, cookies = [], body = '', isBase64Encoded } = (result ?? {}) as ResultObject;
  if (statusCode === undefined) return jsonAnswer(200, result ?? null);
  if (!Number.isInteger(Number(statusCode)) || Number(statusCode) < 200 || Number(statusCode) > 599) {
    throw new TypeError(`A function answered with the status code ${statusCode}.`);
  }
  const definedHeaders = Object.entries(headers ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return {
    status: Number(statusCode),
    headers: Object.fromEntries(definedHeaders.map(([name, value]) => [name.toLowerCase(), String(value)])),
    cookies,
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/** An answer of the local front itself. */
export const jsonAnswer = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  cookies: [],
  body: Buffer.from(JSON.stringify(value)),
});

/** An error of the local front or of a function that fails, in the shape of the service's errors. */
export const errorAnswer = (
  status: number,
  code: string,
  message: string,
  requestId: string = crypto.randomUUID(),
): HttpAnswer =>
  jsonAnswer(
    status,
    { message, code },
    {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      ...(status === 503 && { 'retry-after': '1' }),
    },
  );

/** Writes an answer with its length. An answer to HEAD has no body, and keeps the length from its function. */
export function writeAnswer(response: ServerResponse, answer: HttpAnswer): void {
  if (response.destroyed) return;
  const { status, headers, body } = answer;
  setHeaders(response, answer);
  const isHead = response.req.method === 'HEAD';
  if (status === 204 || status === 304) response.removeHeader('content-length');
  else if (!isHead || headers['content-length'] === undefined) response.setHeader('content-length', body.length);
  response.writeHead(status);
  response.end(isHead ? undefined : body);
}

/** Sends the head of an answer; the caller writes its body. */
export function openAnswer(response: ServerResponse, answer: Omit<HttpAnswer, 'body'>): ServerResponse {
  if (response.destroyed) return response;
  setHeaders(response, answer);
  response.writeHead(answer.status).flushHeaders();
  return response;
}

function setHeaders(response: ServerResponse, { headers, cookies }: Omit<HttpAnswer, 'body'>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!connectionHeaders.has(name)) response.setHeader(name, value);
  }
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
}

const connectionHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** The time in which a client may send the rest of a body that has its answer already. */
const lingerMilliseconds = 2_000;

/**
 * Reads a body, at most one byte more than the limit. The rest may still arrive after the answer
 * (`closeAfterAnswers`).
 * @returns undefined when the client disconnects before the end
 */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  // Most requests have no body. An iterator would cost more than the rest of their way through the front.
  if (!hasBody(request)) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    const arriving: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of arriving) {
      chunks.push(chunk.subarray(0, bytesMax + 1 - length));
      length += chunk.length;
      if (length > bytesMax) break;
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

/** A request without these headers ends with its head (RFC 9112 section 6.3). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/**
 * Bounds the time of a body after its answer. The client may send the rest of it for a moment, because it might miss
 * its answer when the connection is closed while it sends.
 */
export function closeAfterAnswers(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('finish', () => {
      if (request.complete) return;
      request.resume();
      const timer = setTimeout(() => request.socket.destroy(), lingerMilliseconds).unref();
      request.once('close', () => clearTimeout(timer));
    });
  });
}

interface LoopbackServer {
  readonly url: string;
  /** Also ends open connections. */
  stop(): Promise<void>;
}

/** Lets a server listen on a free port of 127.0.0.1. */
export async function listenOnLoopback(server: Server): Promise<LoopbackServer> {
  closeAfterAnswers(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
