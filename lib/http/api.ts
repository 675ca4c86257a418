import middy from '@middy/core';
import { answer } from './answer.ts';
import type { EarlyWork } from './authenticate.ts';
import { bodyHint, type IncomingBody, incomingBody, readBody } from './body.ts';
import { compress } from './compress.ts';
import type { Endpoint } from './declaration.ts';
import type { RequestIssue } from './errors.ts';
import { pipeline, refuseIssues } from './pipeline.ts';
import { type RequestOf, replyText, requestOf, type WrittenReply } from './request-of.ts';
import type { ApiEvent, ApiResult } from './request-state.ts';
import { jsonText, noContent } from './respond.ts';

/** A request before the check of its body. */
type BodylessRequestOf<E extends Endpoint> = Omit<RequestOf<E>, 'body'>;

/** A request before its key is read. `hint` is its body, if the body is small and valid. */
type EarlyRequestOf<E extends Endpoint> = BodylessRequestOf<E> & {
  readonly hint: RequestOf<E>['body'] | undefined;
};

/** Reads the request's data in parallel with the key. It must not write. */
export type Warm<E extends Endpoint> = (request: EarlyRequestOf<E>) => Promise<unknown>;

/** A request whose handler reads the body itself, while it arrives. */
type ReceivingRequestOf<E extends Endpoint> = RequestOf<E> & {
  readonly incoming: IncomingBody;
  /** Issues of the parameters. They are answered with the issues of the body. */
  readonly requestIssues: readonly RequestIssue[];
};

/** `empty` answers 204. */
type Reply<E extends Endpoint> =
  | WrittenReply<E>
  | { readonly empty: true; readonly headers?: WrittenReply<E>['headers'] };

/** `handle` answers a request that has passed all checks. `receive` also reads the body and checks it. */
type Work<E extends Endpoint> =
  | { readonly handle: (request: RequestOf<E>) => Promise<Reply<E>>; readonly receive?: undefined }
  | { readonly receive: (request: ReceivingRequestOf<E>) => Promise<Reply<E>>; readonly handle?: undefined };

type JsonEndpointParts<E extends Endpoint> = Work<E> & {
  /** Checks after the permissions and before the body. It throws their errors (lib/spec/decisions.md section 1). */
  readonly precheck?: (request: BodylessRequestOf<E>) => Promise<void>;
  readonly warm?: Warm<E>;
};

/** Wraps a JSON endpoint that is no GET in the chain of checks, in the order of lib/spec/decisions.md section 1. */
export const api = <E extends Endpoint>(endpoint: E, { handle, receive, precheck, warm }: JsonEndpointParts<E>) =>
  middy<ApiEvent, ApiResult>()
    .use(answer(endpoint, receive ? undefined : compress))
    .use(pipeline(endpoint, warming(endpoint, warm)))
    .use({ before: async ({ event }) => precheck?.(requestOf<E>(event)) })
    // `receive` answers the issues of the body with those of the parameters.
    .use(receive ? [] : [...readBody(endpoint), refuseIssues()])
    .handler(async (event: ApiEvent): Promise<ApiResult> => {
      const request = requestOf<E>(event);
      const { requestIssues } = event.state;
      const reply = receive
        ? await receive({ ...request, requestIssues, incoming: incomingBody(event) })
        : await handle(request);
      if ('empty' in reply) return noContent(reply.headers);
      return jsonText(reply.status ?? endpoint.status ?? 200, replyText(endpoint, reply), reply.headers);
    });

/** Lets an endpoint read data before its key has been read. */
export const warming = <E extends Endpoint>(endpoint: E, warm: Warm<E> | undefined): EarlyWork | undefined =>
  warm &&
  ((event, principal) =>
    warm({ ...requestOf<E>(event), principal, hint: bodyHint(endpoint, event) as RequestOf<E>['body'] }));
