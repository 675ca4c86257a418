import middy from '@middy/core';
import * as z from 'zod/mini';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Table } from '#lib/table/table.ts';
import { answer } from './answer.ts';
import type { EarlyWork } from './authenticate.ts';
import { bodyHint, type IncomingBody, incomingBody } from './body.ts';
import { compress } from './compress.ts';
import { entityTagOf, ifNoneMatchHolds } from './conditional.ts';
import type { Endpoint, PathParameters } from './endpoint.ts';
import type { RequestIssue } from './errors.ts';
import { pipeline } from './pipeline.ts';
import type { ApiEvent, ApiResult, RequestState } from './request-state.ts';
import { jsonText, noContent, notModified, type RenderedJson, varying } from './respond.ts';

type SchemaOutput<S> = S extends z.ZodMiniType ? z.output<S> : undefined;

/** A request with checked parts, typed by its declaration. */
export interface RequestOf<E extends Endpoint> {
  readonly principal: Principal;
  readonly table: Table;
  readonly params: PathParameters<E['path']>;
  readonly query: SchemaOutput<E['query']>;
  readonly headers: SchemaOutput<NonNullable<E['headers']>>;
  readonly body: SchemaOutput<NonNullable<E['body']>>;
  /**
   * Opens the table for work that continues after the deadline of `table`.
   * @param milliseconds until its calls end, at the latest half a second before the function's timeout
   */
  readonly tableFor: (milliseconds: number) => Table;
  /** For the log line: the ids of the records that the request changed or returned. */
  readonly logDetails: RequestState['logDetails'];
  /** For audit events. */
  readonly requestId: string;
}

/** A request before the check of its body. */
export type BodylessRequestOf<E extends Endpoint> = Omit<RequestOf<E>, 'body'>;

/** A request before its key is read. `hint` is its body, if the body is small and valid. */
export type EarlyRequestOf<E extends Endpoint> = BodylessRequestOf<E> & {
  readonly hint: RequestOf<E>['body'] | undefined;
};

/** Reads the request's data in parallel with the key. It must not write. */
export type Warm<E extends Endpoint> = (request: EarlyRequestOf<E>) => Promise<unknown>;

type UncheckedRequest<Request extends { readonly query: unknown }> = Omit<Request, 'query' | 'body'> & {
  readonly query: Partial<Request['query']>;
};

type Headers = Readonly<Record<string, string>>;

/** `body` is rendered by the response schema of the declaration. `json` was rendered by a view of lib, and is sent unchanged. */
export type WrittenReply<E extends Endpoint> = {
  /** @default - that of the declaration */
  readonly status?: 200 | 201;
  readonly headers?: Headers;
  /** The ETag of this answer. @default - on a GET the hash of the answer, unless `headers` has an ETag */
  readonly etag?: string;
} & ({ readonly body: z.input<E['response']> } | { readonly json: RenderedJson });

/** `unchanged` answers 304: the caller already has the answer with this ETag. `empty` answers 204. */
export type Reply<E extends Endpoint> =
  | WrittenReply<E>
  | { readonly unchanged: string }
  | { readonly empty: true; readonly headers?: Headers };

/** A request whose handler reads the body itself, while it arrives. */
export type ReceivingRequestOf<E extends Endpoint> = RequestOf<E> & {
  readonly incoming: IncomingBody;
  /** Issues of the parameters. They are answered with the issues of the body. */
  readonly requestIssues: readonly RequestIssue[];
};

/** `handle` answers a request that has passed all checks. `receive` also reads the body and checks it. */
type Work<E extends Endpoint> =
  /** On a GET it begins before the key has been read (authenticate.ts), so it must not write. */
  | { readonly handle: (request: RequestOf<E>) => Promise<Reply<E>>; readonly receive?: undefined }
  | { readonly receive: (request: ReceivingRequestOf<E>) => Promise<Reply<E>>; readonly handle?: undefined };

export type JsonEndpointParts<E extends Endpoint> = Work<E> & {
  /**
   * Finds further issues of an invalid query, so that the 400 lists all. The query has only its valid members. `handle`
   * must find these issues, too.
   */
  readonly findIssues?: (request: UncheckedRequest<RequestOf<E>>) => Promise<readonly RequestIssue[]>;
  /** Checks after the permissions and before the body. It throws their errors. */
  readonly precheck?: (request: BodylessRequestOf<E>) => Promise<void>;
  readonly warm?: Warm<E>;
};

/** Wraps a JSON endpoint in the chain of checks, in the order of lib/spec/decisions.md section 1. */
export const api = <E extends Endpoint>(endpoint: E, parts: JsonEndpointParts<E>) => {
  const { handle, receive, findIssues, precheck, warm } = parts;
  const isRead = endpoint.methods.includes('GET');
  const run = (event: ApiEvent, principal: Principal): Promise<Reply<E>> => {
    const request = { ...requestOf<E>(event), principal };
    const { requestIssues } = event.state;
    return receive ? receive({ ...request, requestIssues, incoming: incomingBody(event) }) : handle(request);
  };
  return middy<ApiEvent, ApiResult>()
    .use(answer(endpoint, receive ? undefined : compress))
    .use(
      pipeline(endpoint, {
        precheck: precheck && ((event) => precheck(requestOf<E>(event))),
        work: isRead ? run : warming(endpoint, warm),
        isReceiving: receive !== undefined,
        findIssues: findIssues && ((event) => findIssues(requestOf<E>(event) as UncheckedRequest<RequestOf<E>>)),
      }),
    )
    .handler(async (event: ApiEvent): Promise<ApiResult> => {
      const { early, principal } = event.state;
      const begun = isRead ? (early as Promise<Reply<E>> | undefined) : undefined;
      const reply = await (begun ?? run(event, principal as Principal));
      if ('unchanged' in reply) return notModified(endpoint, reply.unchanged);
      if ('empty' in reply) return noContent(reply.headers);
      const text = 'json' in reply ? reply.json : render(endpoint, reply.body);
      return isRead
        ? cacheable(endpoint, event, text, reply)
        : jsonText(reply.status ?? endpoint.status ?? 200, text, reply.headers);
    });
};

/** Lets an endpoint read data before its key has been read. */
export const warming = <E extends Endpoint>(endpoint: E, warm: Warm<E> | undefined): EarlyWork | undefined =>
  warm &&
  ((event, principal) =>
    warm({ ...requestOf<E>(event), principal, hint: bodyHint(endpoint, event) as RequestOf<E>['body'] }));

/** The ETag of an entry identifies its stored version without its related records, so it never leads to a 304. */
function cacheable(
  endpoint: Endpoint,
  { state, headers }: ApiEvent,
  text: string,
  { headers: ownHeaders = {}, etag: handlerTag }: Pick<WrittenReply<Endpoint>, 'headers' | 'etag'>,
): ApiResult {
  const { principal } = state;
  if (!principal || ownHeaders['etag'] !== undefined)
    return jsonText(200, text, { ...varying(endpoint), ...ownHeaders });
  // Queries with different answers get different tags, because the tag is a hash of the text.
  const etag = handlerTag ?? entityTagOf(principal, undefined, [text, JSON.stringify(ownHeaders)]);
  if (ifNoneMatchHolds(headers['if-none-match'], etag)) return notModified(endpoint, etag);
  state.contentTag = etag;
  return jsonText(200, text, { ...varying(endpoint), etag, ...ownHeaders });
}

/** The results of the checks, typed by the declaration. */
export function requestOf<E extends Endpoint>({ state }: ApiEvent): RequestOf<E> {
  const { principal, table, tableFor, params, query, sentHeaders: headers, body, logDetails, requestId } = state;
  return { principal, table, tableFor, params, query, headers, body, logDetails, requestId } as unknown as RequestOf<E>;
}

/** Only declared properties leave the service. */
export const render = (endpoint: Endpoint, body: unknown): string => JSON.stringify(z.parse(endpoint.response, body));
