import { Readable } from 'node:stream';
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import { answer, headersOf } from './answer.ts';
import { bodyHint, readBody } from './body.ts';
import type { Endpoint } from './declaration.ts';
import { logFailure, logRequest } from './log.ts';
import { pipeline, publicPipeline, type RequestOf, refuseIssues, requestOf } from './pipeline.ts';
import type { ApiEvent, RequestCounters, StreamResult, Trace } from './request-state.ts';

export type StreamRequestOf<E extends Endpoint> = RequestOf<E> & {
  readonly method: string;
  /** The trace that the caller sent, if any. */
  readonly trace: Trace | undefined;
  /** For the metrics of the request. */
  readonly counters: RequestCounters;
  /** The remaining time of the function. */
  readonly remainingMilliseconds: () => number;
};

/** An answer that begins before it is complete. */
export interface StreamReply {
  /** @default 200 */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body, read at the speed of the client. An error breaks the connection, so that a part never looks like the
   * whole. It is read to its end even after the client has disconnected, because Lambda does not report that.
   */
  readonly body?: AsyncIterable<Uint8Array | string> | undefined;
}

/**
 * Reads the data of a request in parallel with the key. It must not write.
 * @param request `hint` is its body, if the body is small and valid
 */
type ReadAhead<E extends Endpoint> = (
  request: Omit<RequestOf<E>, 'body'> & { readonly hint: RequestOf<E>['body'] | undefined },
) => Promise<unknown>;

/**
 * Wraps the body of an endpoint with `responseMode: 'streamed'` in the same chain as `api`. An error before the reply
 * becomes a normal JSON error.
 */
export const streamApi = <E extends Endpoint>(
  endpoint: E,
  handle: (request: StreamRequestOf<E>) => Promise<StreamReply>,
  readAhead?: ReadAhead<E>,
) =>
  middy<ApiEvent, StreamResult>({ executionMode: executionModeStreamifyResponse, timeoutEarlyInMillis: 0 })
    .use(streamAnswer(endpoint))
    .use(
      pipeline(
        endpoint,
        readAhead &&
          ((event, principal) => {
            const hint = bodyHint(endpoint, event) as RequestOf<E>['body'] | undefined;
            return readAhead({ ...requestOf<E>(event), principal, hint });
          }),
      ),
    )
    .use([readBody(endpoint), refuseIssues()])
    .handler(async (event: ApiEvent, context): Promise<StreamResult> => {
      const { method, trace, counters } = event.state;
      const remainingMilliseconds = () => context.getRemainingTimeInMillis();
      return resultOf(await handle({ ...requestOf<E>(event), method, trace, counters, remainingMilliseconds }));
    });

/** A request to a public route. It has no caller, and its table can read every workspace. */
export type PublicStreamRequestOf<E extends Endpoint> = Pick<
  StreamRequestOf<E>,
  'table' | 'params' | 'headers' | 'method' | 'logDetails'
>;

export const publicStreamApi = <E extends Endpoint>(
  endpoint: E,
  handle: (request: PublicStreamRequestOf<E>) => Promise<StreamReply>,
) =>
  middy<ApiEvent, StreamResult>({ executionMode: executionModeStreamifyResponse, timeoutEarlyInMillis: 0 })
    .use(streamAnswer(endpoint))
    .use(publicPipeline(endpoint))
    .handler(
      async (event: ApiEvent): Promise<StreamResult> =>
        resultOf(await handle({ ...requestOf<E>(event), method: event.state.method })),
    );

const resultOf = ({ status = 200, headers, body }: StreamReply): StreamResult => ({
  statusCode: status,
  headers: { ...headers },
  body,
});

type Pieces = AsyncIterable<Uint8Array | string>;

/** Like `answer`, for streams: the request is logged after its last byte. */
const streamAnswer = (endpoint: Endpoint) => ({
  ...answer(endpoint),
  after: ({ event, response }: { readonly event: ApiEvent; readonly response?: StreamResult | null | undefined }) => {
    if (!response) return;
    const { method } = event.state;
    const { body = '', statusCode } = response;
    response.headers = headersOf(event, response) as StreamResult['headers'];
    if (typeof body === 'string' || method === 'HEAD') {
      if (body instanceof Readable) body.destroy();
      response.body = method === 'HEAD' ? '' : body;
      logRequest(event, statusCode);
    } else {
      response.body = Readable.from(logged(event, statusCode, body), { objectMode: false });
    }
  },
});

async function* logged(event: ApiEvent, status: number, body: Pieces) {
  let code: string | undefined = 'answer_broken';
  try {
    yield* body;
    code = undefined;
  } catch (error) {
    logFailure(event, { code: 'answer_broken' }, error);
    throw error;
  } finally {
    logRequest(event, status, code);
  }
}
