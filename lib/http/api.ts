import middy from '@middy/core';
import { started } from '#lib/domain/started.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { answer, bodyless, jsonText } from './answer.ts';
import type { EarlyWork } from './authenticate.ts';
import { bodyHint, readBody } from './body.ts';
import { compress } from './compress.ts';
import type { Endpoint } from './declaration.ts';
import { pipeline, type RequestOf, refuseIssues, replyText, requestOf, type WrittenReply } from './pipeline.ts';
import type { ApiEvent, ApiResult } from './request-state.ts';

/** `empty` answers 204. */
type Reply<E extends Endpoint> =
  | WrittenReply<E>
  | { readonly empty: true; readonly headers?: WrittenReply<E>['headers'] };

interface JsonEndpointParts<E extends Endpoint> {
  readonly handle: (request: RequestOf<E>) => Promise<Reply<E>>;
  /** Checks after the permissions and before the body. It throws their errors (lib/spec/decisions.md section 1). */
  readonly precheck?: (request: Omit<RequestOf<E>, 'body'>) => Promise<void>;
  /**
   * Whether `handle` begins before the key has been read (authenticate.ts). Its writes to the table wait. Other effects
   * must wait for `table.mayWrite`.
   */
  readonly beginsEarly?: true;
}

/** Wraps a JSON endpoint that is no GET in the chain of checks, in the order of lib/spec/decisions.md section 1. */
export const api = <E extends Endpoint>(endpoint: E, { handle, precheck, beginsEarly }: JsonEndpointParts<E>) =>
  middy<ApiEvent, ApiResult>()
    .use(answer(endpoint, compress))
    .use(pipeline(endpoint, beginsEarly && early(endpoint, handle)))
    .use({ before: async ({ event }) => precheck?.(requestOf<E>(event)) })
    .use([readBody(endpoint), refuseIssues()])
    .handler(async (event: ApiEvent): Promise<ApiResult> => {
      const { early, writes } = event.state;
      writes?.allow();
      const reply = ((await early) as Reply<E> | undefined) ?? (await handle(requestOf<E>(event)));
      if ('empty' in reply) return bodyless(204, reply.headers);
      return jsonText(reply.status ?? endpoint.status ?? 200, replyText(endpoint, reply), reply.headers);
    });

/** Handles a request for an expected caller, if its body is small and valid. Its writes wait for `writes`. */
const early =
  <E extends Endpoint>(endpoint: E, handle: (request: RequestOf<E>) => Promise<Reply<E>>): EarlyWork =>
  (event, principal) => {
    const body = bodyHint(endpoint, event) as RequestOf<E>['body'];
    if (endpoint.body && body === undefined) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    started(promise);
    event.state.writes = {
      allow: resolve,
      refuse: () => reject(new Unavailable('The request was refused.', { isUndone: true })),
    };
    const request = requestOf<E>(event);
    const table = request.table.holdingWrites(promise);
    const tableFor = (milliseconds: number) => request.tableFor(milliseconds).holdingWrites(promise);
    return handle({ ...request, principal, body, table, tableFor });
  };
