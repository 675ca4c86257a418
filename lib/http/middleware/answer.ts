import type { Context } from 'aws-lambda';
import { milliseconds } from '#lib/table/dynamodb/clock.ts';
import { asHttpError } from '../as-http-error.ts';
import { corsHeaders, PreflightAnswer } from '../cors.ts';
import { logFailure, logRequest } from '../log.ts';
import type { ApiEvent, ApiResult } from '../request-state.ts';
import { errorResult, forSession, noContent } from '../respond.ts';
import { readTrace } from '../trace-context.ts';

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
export const answer = (route: string, encode?: Encode) => ({
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
      requestIssues: [],
    };
  },
  after: (handling: Handling) => finish(route, encode, handling),
  onError: async (handling: Handling) => {
    if (handling.error instanceof PreflightAnswer) {
      handling.response = noContent(handling.error.headers);
      return finish(route, undefined, handling);
    }
    const error = asHttpError(handling.error);
    if (error.statusCode >= 500) logFailure(route, handling.event, error, handling.error);
    handling.event.state.stop?.();
    handling.response = errorResult(error);
    await finish(route, encode, handling, error.code);
  },
});

async function finish(
  route: string,
  encode: Encode | undefined,
  { event, response }: Handling,
  code?: string,
): Promise<void> {
  if (!response) return;
  await encode?.(event, response);
  if (event.state.isBySession) response.headers = forSession(response.headers);
  const { requestId, method, headers } = event.state;
  const vary = response.headers?.['vary']?.toString();
  const cors = corsHeaders(event, response.statusCode ?? 200, vary);
  response.headers = { ...response.headers, ...headers, ...cors, 'x-request-id': requestId };
  if (method === 'HEAD' && response.statusCode !== 304) {
    const encoding = response.isBase64Encoded ? 'base64' : 'utf8';
    response.headers['content-length'] = Buffer.byteLength(response.body ?? '', encoding);
    response.body = '';
  }
  logRequest(route, event, response.statusCode ?? 200, code);
}
