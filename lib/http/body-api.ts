import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import middy from '@middy/core';
import { type RequestOf, render, requestOf, type WrittenReply } from './api.ts';
import { checks } from './checks.ts';
import type { Endpoint } from './endpoint.ts';
import type { RequestIssue } from './errors.ts';
import { answer } from './middleware/answer.ts';
import type { ApiEvent, ApiResult } from './request-state.ts';
import { jsonText } from './respond.ts';
import type { MinimumRate } from './slow-body.ts';
import { answerWeb } from './web.ts';

/** The body of a request that is still arriving. */
export interface IncomingBody {
  readonly bytes: Readable;
  /** Whether the body is part of a Lambda event, which can carry less than plain HTTP. */
  readonly isWhole: boolean;
  /** The length in the header, if there is one. */
  readonly length: number | undefined;
  /** Empty if the header was not sent. */
  readonly contentType: string;
  readonly contentEncoding: string;
}

/** A request whose handler reads the body itself, while it arrives. */
export type BodyRequestOf<E extends Endpoint> = RequestOf<E> & {
  readonly incoming: IncomingBody;
  /** Issues of the parameters. They are answered with the issues of the body. */
  readonly requestIssues: readonly RequestIssue[];
};

/**
 * Wraps a handler for `bodies: 'streamed'` in the same middleware chain as `api`. It serves events and plain HTTP
 * requests.
 */
export function bodyApi<E extends Endpoint>(
  endpoint: E,
  handle: (request: BodyRequestOf<E>) => Promise<WrittenReply<E>>,
) {
  const handler = middy<ApiEvent, ApiResult>()
    .use(answer(endpoint.path))
    .use(checks(endpoint))
    .handler(async (event: ApiEvent): Promise<ApiResult> => {
      const { requestIssues } = event.state;
      const request = { ...requestOf<E>(event), requestIssues, incoming: incomingBody(event) };
      const reply = await handle(request as unknown as BodyRequestOf<E>);
      const text = 'json' in reply ? reply.json : render(endpoint, reply.body);
      return jsonText(reply.status ?? endpoint.status ?? 200, text, reply.headers);
    });
  return {
    handler,
    web: (request: IncomingMessage, response: ServerResponse, pace?: MinimumRate): Promise<ApiEvent> =>
      answerWeb(handler as unknown as Parameters<typeof answerWeb>[0], request, response, pace),
  };
}

function incomingBody({ arriving, headers, body = '', isBase64Encoded }: ApiEvent): IncomingBody {
  const kind = { contentType: headers['content-type'] ?? '', contentEncoding: headers['content-encoding'] ?? '' };
  if (arriving) {
    const declared = headers['content-length'];
    const length = declared === undefined ? undefined : Number(declared);
    return { ...kind, bytes: arriving, isWhole: false, length };
  }
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  return { ...kind, bytes: Readable.from([bytes], { objectMode: false }), isWhole: true, length: bytes.length };
}
