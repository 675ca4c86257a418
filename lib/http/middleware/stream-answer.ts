import { Readable } from 'node:stream';
import { corsHeaders } from '../cors.ts';
import { logFailure, logRequest } from '../log.ts';
import type { ApiEvent, StreamResult } from '../request-state.ts';
import { forSession } from '../respond.ts';
import { answer } from './answer.ts';

interface Handling {
  readonly event: ApiEvent;
  readonly response?: StreamResult | null | undefined;
}

type Pieces = AsyncIterable<Uint8Array | string>;

/** Like `answer`, for streams: the request is logged after its last byte. */
export const streamAnswer = (route: string) => ({
  ...answer(route),
  after: ({ event, response }: Handling) => {
    if (!response) return;
    const { requestId, method, headers } = event.state;
    if (event.state.isBySession) response.headers = forSession(response.headers) as StreamResult['headers'];
    const { body = '', statusCode } = response;
    const cors = corsHeaders(event, statusCode, response.headers['vary']);
    response.headers = { ...response.headers, ...headers, ...cors, 'x-request-id': requestId };
    if (typeof body === 'string' || method === 'HEAD') {
      if (body instanceof Readable) body.destroy();
      response.body = method === 'HEAD' ? '' : body;
      logRequest(route, event, statusCode);
    } else {
      response.body = Readable.from(logged(route, event, statusCode, body), { objectMode: false });
    }
  },
});

async function* logged(route: string, event: ApiEvent, status: number, body: Pieces) {
  let code: string | undefined = 'answer_broken';
  try {
    yield* body;
    code = undefined;
  } catch (error) {
    logFailure(route, event, { code: 'answer_broken' }, error);
    throw error;
  } finally {
    logRequest(route, event, status, code);
  }
}
