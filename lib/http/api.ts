import middy from '@middy/core';
import * as z from 'zod/mini';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Table } from '#lib/table/table.ts';
import { bodyHint } from './body-hint.ts';
import { checks } from './checks.ts';
import { compress } from './compress.ts';
import { entityTagOf, ifNoneMatchHolds } from './conditional.ts';
import type { Endpoint, PathParameters } from './endpoint.ts';
import type { RequestIssue } from './errors.ts';
import { answer } from './middleware/answer.ts';
import type { ApiEvent, ApiResult, RequestState } from './request-state.ts';
import { jsonText, noContent, notModified, varying } from './respond.ts';
import { type Speculate, speculated, speculation } from './speculation.ts';

type SchemaOutput<S> = S extends z.ZodMiniType ? z.output<S> : undefined;

/** A request as a handler sees it: everything is checked and typed by the declaration. */
export interface RequestOf<E extends Endpoint> {
  readonly principal: Principal;
  readonly table: Table;
  readonly params: PathParameters<E['path']>;
  readonly query: SchemaOutput<E['query']>;
  readonly headers: SchemaOutput<NonNullable<E['headers']>>;
  readonly body: SchemaOutput<NonNullable<E['body']>>;
  /** Opens the table once more for `milliseconds`, for what takes longer than `table` lasts. */
  readonly tableFor: (milliseconds: number) => Table;
  /** The ids of stored records that the request has changed or handed out, for its log line. */
  readonly logDetails: RequestState['logDetails'];
  /** For audit events. */
  readonly requestId: string;
}

/** A request whose body has not been judged yet. */
export type BodylessRequestOf<E extends Endpoint> = Omit<RequestOf<E>, 'body'>;

/** A request whose key has not been read yet. `hint` is its body, if that is small and right. */
export type EarlyRequestOf<E extends Endpoint> = BodylessRequestOf<E> & {
  readonly hint: RequestOf<E>['body'] | undefined;
};

/** Reads what a request will ask for, beside the read of its key. It must change nothing. */
export type Warm<E extends Endpoint> = (request: EarlyRequestOf<E>) => Promise<unknown>;

type Partly<Request extends { readonly query: unknown }> = Omit<Request, 'query' | 'body'> & {
  readonly query: Partial<Request['query']>;
};

type Headers = Readonly<Record<string, string>>;

/** `body` passes through the declaration's response schema; `json` is text that a projector has already written. */
export type WrittenReply<E extends Endpoint> = {
  /** @default - that of the declaration */
  readonly status?: 200 | 201;
  readonly headers?: Headers;
  /** The tag of this very answer. @default - on a GET the hash of the answer, unless `headers` has another tag */
  readonly etag?: string;
} & ({ readonly body: z.input<E['response']> } | { readonly json: string });

/**
 * `unchanged` is the tag of an answer that the caller already has, found before the answer was written. `empty` is an
 * answer of 204.
 */
export type Reply<E extends Endpoint> =
  | WrittenReply<E>
  | { readonly unchanged: string }
  | { readonly empty: true; readonly headers?: Headers };

export interface JsonEndpointParts<E extends Endpoint> {
  /**
   * Answers a request that has passed all checks. On a GET it begins before the key has been read (speculation.ts), so
   * it must change nothing there.
   */
  readonly handle: (request: RequestOf<E>) => Promise<Reply<E>>;
  /**
   * What else is wrong with a query that cannot be answered: all issues come together. Of its members those are there
   * that are right by themselves. `handle` has to find these issues, too.
   */
  readonly findIssues?: (request: Partly<RequestOf<E>>) => Promise<readonly RequestIssue[]>;
  /** Throws a refusal that comes after the permissions and before the body is judged. */
  readonly precheck?: (request: BodylessRequestOf<E>) => Promise<void>;
  readonly warm?: Warm<E>;
}

/** Wraps the parts of a JSON endpoint in the one chain: the order of the checks is lib/spec/decisions.md section 1. */
export const api = <E extends Endpoint>(endpoint: E, { handle, findIssues, precheck, warm }: JsonEndpointParts<E>) => {
  const isRead = endpoint.methods.includes('GET');
  const speculate = isRead
    ? speculation(endpoint, (event, principal) => handle({ ...requestOf<E>(event), principal }))
    : warming(endpoint, warm);
  return middy<ApiEvent, ApiResult>()
    .use(answer(endpoint.path, compress))
    .use(
      checks(endpoint, {
        precheck: precheck && ((event) => precheck(requestOf<E>(event))),
        speculate,
        findIssues: findIssues && ((event) => findIssues(requestOf<E>(event) as Partly<RequestOf<E>>)),
      }),
    )
    .handler(async (event: ApiEvent): Promise<ApiResult> => {
      const work = () => handle(requestOf<E>(event));
      const reply = await (isRead ? speculated(event, work) : work());
      if ('unchanged' in reply) return notModified(endpoint, reply.unchanged);
      if ('empty' in reply) return noContent(reply.headers);
      const text = 'json' in reply ? reply.json : render(endpoint, reply.body);
      return endpoint.methods.includes('GET')
        ? cacheable(endpoint, event, text, reply)
        : jsonText(reply.status ?? endpoint.status ?? 200, text, reply.headers);
    });
};

/** Lets an endpoint read before its key has been read. */
export const warming = <E extends Endpoint>(endpoint: E, warm: Warm<E> | undefined): Speculate | undefined =>
  warm &&
  speculation(endpoint, (event, principal) =>
    warm({ ...requestOf<E>(event), principal, hint: bodyHint(endpoint, event) as RequestOf<E>['body'] }),
  );

/** An entry's tag names its stored version, not all that is shown with it, so it is no reason to answer 304. */
function cacheable(
  endpoint: Endpoint,
  { state, headers }: ApiEvent,
  text: string,
  { headers: own = {}, etag: given }: Pick<WrittenReply<Endpoint>, 'headers' | 'etag'>,
): ApiResult {
  const { principal } = state;
  if (!principal || own['etag'] !== undefined) return jsonText(200, text, { ...varying(endpoint), ...own });
  // The text tells queries apart as far as their answers differ.
  const etag = given ?? entityTagOf(principal, undefined, [text, JSON.stringify(own)]);
  if (ifNoneMatchHolds(headers['if-none-match'], etag)) return notModified(endpoint, etag);
  state.contentTag = etag;
  return jsonText(200, text, { ...varying(endpoint), etag, ...own });
}

/** What the checks have found out, as the handler of the declaration sees it. */
export function requestOf<E extends Endpoint>({ state }: ApiEvent): RequestOf<E> {
  const { principal, table, tableFor, params, query, sentHeaders: headers, body, logDetails, requestId } = state;
  return { principal, table, tableFor, params, query, headers, body, logDetails, requestId } as unknown as RequestOf<E>;
}

/** Only declared members leave the service. */
export const render = (endpoint: Endpoint, body: unknown): string => JSON.stringify(z.parse(endpoint.response, body));
