import { Readable } from 'node:stream';
import middy from '@middy/core';
import { answer, jsonText } from './answer.ts';
import type { Endpoint } from './declaration.ts';
import type { RequestIssue } from './errors.ts';
import { pipeline, type RequestOf, replyText, requestOf, type WrittenReply } from './pipeline.ts';
import type { ApiEvent, ApiResult } from './request-state.ts';

/** A request whose handler reads the body itself, while it arrives. */
type ReceivingRequestOf<E extends Endpoint> = RequestOf<E> & {
  readonly incoming: IncomingBody;
  /** Issues of the parameters. They are answered with the issues of the body. */
  readonly requestIssues: readonly RequestIssue[];
};

/** Like `api`, for an endpoint that reads the body itself, and checks it. */
export const receivingApi = <E extends Endpoint>(
  endpoint: E,
  receive: (request: ReceivingRequestOf<E>) => Promise<WrittenReply<E>>,
) =>
  middy<ApiEvent, ApiResult>()
    .use(answer(endpoint))
    .use(pipeline(endpoint))
    .handler(async (event: ApiEvent): Promise<ApiResult> => {
      const { requestIssues } = event.state;
      const reply = await receive({ ...requestOf<E>(event), requestIssues, incoming: incomingBody(event) });
      return jsonText(reply.status ?? endpoint.status ?? 200, replyText(endpoint, reply), reply.headers);
    });

/** The body of a request that is still arriving. */
export interface IncomingBody {
  /** Empty, like the next, if the header was not sent. */
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly bytes: Readable;
  /** Whether the body is part of a Lambda event, which can carry less than plain HTTP. */
  readonly isWhole: boolean;
  /** The length in the header, if there is one. */
  readonly length: number | undefined;
}

function incomingBody({ arriving, headers, body = '', isBase64Encoded }: ApiEvent): IncomingBody {
  const { 'content-type': contentType = '', 'content-encoding': contentEncoding = '' } = headers;
  const kind = { contentType, contentEncoding };
  if (arriving) {
    const declared = headers['content-length'];
    const length = declared === undefined ? undefined : Number(declared);
    return { ...kind, bytes: arriving, isWhole: false, length };
  }
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  return { ...kind, bytes: Readable.from([bytes], { objectMode: false }), isWhole: true, length: bytes.length };
}
