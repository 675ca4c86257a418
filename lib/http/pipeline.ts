import * as z from 'zod/mini';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Table } from '#lib/table/table.ts';
import type { RenderedJson } from './answer.ts';
import { authenticate, type EarlyWork } from './authenticate.ts';
import type { Endpoint, PathParameters } from './declaration.ts';
import { badRequest, invalidQuery, type RequestIssue, validationFailed } from './errors.ts';
import { readHeaders } from './headers.ts';
import { openTable } from './open-table.ts';
import { requireOrigin } from './origin.ts';
import { readQuery } from './query.ts';
import type { ApiEvent, RequestState } from './request-state.ts';
import { matchRoute } from './route.ts';

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
  readonly requestId: string;
}

type Headers = Readonly<Record<string, string>>;

/** `body` is rendered by the schema of the response. `json` was rendered by a view of lib, and is sent unchanged. */
export type WrittenReply<E extends Endpoint> = {
  /** @default - that of the declaration */
  readonly status?: 200 | 201 | 202;
  readonly headers?: Headers;
  /** The ETag of this answer. @default - on a GET the hash of the answer, unless `headers` has an ETag */
  readonly etag?: string;
} & ({ readonly body: z.input<E['response']> } | { readonly json: RenderedJson });

export function requestOf<E extends Endpoint>({ state }: ApiEvent): RequestOf<E> {
  const { principal, table, tableFor, params, query, sentHeaders: headers, body, logDetails, requestId } = state;
  return { principal, table, tableFor, params, query, headers, body, logDetails, requestId } as unknown as RequestOf<E>;
}

/** Only declared properties leave the service. */
const render = (endpoint: Endpoint, body: unknown): string => JSON.stringify(z.parse(endpoint.response, body));

export const replyText = <E extends Endpoint>(endpoint: E, reply: WrittenReply<E>): string =>
  'json' in reply ? reply.json : render(endpoint, reply.body);

/**
 * What a request passes before its body is read, in the order of lib/spec/decisions.md section 1.
 * @param work begins before the caller is known; authenticate.ts
 */
export const pipeline = (endpoint: Endpoint, work?: EarlyWork) => [
  ...publicPipeline(endpoint),
  authenticate(endpoint, work),
];

/** The same for a route without callers. */
export const publicPipeline = (endpoint: Endpoint) => [
  requireOrigin(),
  matchRoute(endpoint),
  openTable(),
  readParameters(),
];

/** Before the key is read, so that reads can start early. Issues are answered later, in their order. */
const readParameters = () => ({
  before: ({ event: { state, headers: sent } }: { event: ApiEvent }) => {
    const { query, headers } = state.route.endpoint;
    const read = readQuery(query, state.queryString);
    state.requestIssues.push(...(read.issues ?? []).map(invalidQuery));
    state.query = read.query;
    const readHeaderValues = headers ? readHeaders(headers, sent) : { headers: {} };
    if ('issues' in readHeaderValues) state.requestIssues.push(...readHeaderValues.issues.map(validationFailed));
    else state.sentHeaders = readHeaderValues.headers;
  },
});

/** @param findIssues finds those that need stored data @throws 400 with all issues of query, headers and body */
export const refuseIssues = (findIssues?: (event: ApiEvent) => Promise<readonly RequestIssue[]>) => ({
  before: async ({ event }: { event: ApiEvent }) => {
    const { requestIssues } = event.state;
    if (requestIssues.length === 0) return;
    // A failure to read, or a missing record, must not hide the issues.
    const others = (await findIssues?.(event).catch(() => [])) ?? [];
    throw badRequest([...requestIssues, ...others]);
  },
});
