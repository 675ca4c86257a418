import type { ServerResponse } from 'node:http';

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
