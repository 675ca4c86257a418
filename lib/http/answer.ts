import type { Context } from 'aws-lambda';
import { milliseconds } from '#lib/table/dynamodb/clock.ts';
import { corsHeaders, PreflightAnswer } from './cors.ts';
import type { Endpoint } from './declaration.ts';
import { isForVisitors } from './endpoint.ts';
import { asHttpError, type HttpError } from './errors.ts';
import { logFailure, logRequest } from './log.ts';
import type { ApiEvent, ApiResult, Trace } from './request-state.ts';

const commonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
};

declare const isRendered: unique symbol;

/** JSON text that was made of a view, which has only the declared members of a response. */
export type RenderedJson = string & { readonly [isRendered]: true };

/** Marks a text as rendered. Call it where the text is made of a view, and nowhere else. */
export const rendered = (text: string): RenderedJson => text as RenderedJson;

/** @param text the body as JSON text */
export const jsonText = (
  statusCode: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): ApiResult => ({
  statusCode,
  headers: { ...commonHeaders, ...headers },
  body: text,
});

export const bodyless = (statusCode: 204 | 304, headers: Readonly<Record<string, string>> = {}): ApiResult => ({
  statusCode,
  headers: { 'cache-control': commonHeaders['cache-control'], ...headers },
});

/** The headers of answers to sessions: they are private to the member (lib/spec/additions.md section 6). */
function forSession(headers: NonNullable<ApiResult['headers']> = {}): NonNullable<ApiResult['headers']> {
  const { 'cache-control': cached = '', vary, ...others } = headers;
  const control = String(cached);
  return {
    ...others,
    'cache-control': control.includes('private') ? control : ['private', control].filter(Boolean).join(', '),
    vary: [vary, 'Cookie'].filter(Boolean).join(', '),
  };
}

/**
 * The error body of lib/spec/decisions.md section 1; only a 400 about named fields has `errors`. No cache may keep an
 * error, so that one rule holds for all routes, those of the sign-in included.
 */
const errorResult = ({ statusCode, code, message, details }: HttpError): ApiResult =>
  jsonText(
    statusCode,
    JSON.stringify(details.isMessageAlone ? { message } : { message, code, errors: details.errors }),
    { 'cache-control': 'no-store', ...details.headers },
  );

interface Handling {
  event: ApiEvent;
  context: Context;
  response?: ApiResult | null | undefined;
  error?: unknown;
}

/** Encodes a complete answer for transfer. */
type Encode = (event: ApiEvent, response: ApiResult) => Promise<void>;

/**
 * The outermost middleware: creates the state of the request, renders errors, adds the request id and logs the request.
 */
export const answer = (endpoint: Endpoint, encode?: Encode) => ({
  before: ({ event, context }: Handling) => {
    event.state = {
      requestId: context.awsRequestId,
      startedAt: milliseconds(),
      method: event.requestContext.http.method,
      queryString: new URLSearchParams(event.rawQueryString),
      trace: readTrace(event.headers['traceparent']),
      params: {},
      logDetails: {},
      counters: {},
      route: { endpoint, gatewayPath: endpoint.path },
      isForVisitors: isForVisitors(endpoint),
      requestIssues: [],
    };
  },
  after: (handling: Handling) => finish(encode, handling),
  onError: async (handling: Handling) => {
    if (handling.error instanceof PreflightAnswer) {
      handling.response = bodyless(204, handling.error.headers);
      return finish(undefined, handling);
    }
    const error = asHttpError(handling.error);
    if (error.statusCode >= 500) logFailure(handling.event, error, handling.error);
    handling.event.state.stop?.();
    handling.event.state.writes?.refuse();
    handling.response = errorResult(error);
    await finish(encode, handling, error.code);
  },
});

async function finish(encode: Encode | undefined, { event, response }: Handling, code?: string): Promise<void> {
  if (!response) return;
  await encode?.(event, response);
  response.headers = headersOf(event, response);
  if (event.state.method === 'HEAD' && response.statusCode !== 304) {
    const encoding = response.isBase64Encoded ? 'base64' : 'utf8';
    response.headers['content-length'] = Buffer.byteLength(response.body ?? '', encoding);
    response.body = '';
  }
  logRequest(event, response.statusCode ?? 200, code);
}

/** The headers of an answer, with those of every answer. */
export function headersOf(event: ApiEvent, response: Pick<ApiResult, 'headers' | 'statusCode'>) {
  const { requestId, headers, isBySession } = event.state;
  const own = isBySession ? forSession(response.headers) : (response.headers ?? {});
  const cors = corsHeaders(event, response.statusCode ?? 200, own['vary']?.toString());
  return { ...own, ...headers, ...cors, 'x-request-id': requestId };
}

/** A `traceparent` header (W3C Trace Context). Later versions may append members, which are ignored. */
const pattern = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(-.*)?$/;

/** @returns undefined if the header is absent or malformed */
function readTrace(header: string | undefined): Trace | undefined {
  const [, version, id, flags, rest] = pattern.exec(header?.trim() ?? '') ?? [];
  return id === undefined || flags === undefined || (version === '00' && rest !== undefined)
    ? undefined
    : { id, flags };
}
