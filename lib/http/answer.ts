import type { Context } from 'aws-lambda';
import { milliseconds } from '#lib/table/dynamodb/clock.ts';
import { corsHeaders, PreflightAnswer } from './cors.ts';
import type { Endpoint } from './declaration.ts';
import { isForVisitors } from './endpoint.ts';
import { asHttpError } from './errors.ts';
import { logFailure, logRequest } from './log.ts';
import type { ApiEvent, ApiResult, Trace } from './request-state.ts';
import { bodyless, errorResult, forSession } from './respond.ts';

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
