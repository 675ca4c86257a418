import * as z from 'zod/mini';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Table } from '#lib/table/table.ts';
import type { RenderedJson } from './answer.ts';
import type { Endpoint, PathParameters } from './declaration.ts';
import type { ApiEvent, RequestState } from './request-state.ts';

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
