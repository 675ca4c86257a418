import middy from '@middy/core';
import * as z from 'zod/mini';
import type { Principal } from '#lib/domain/principal.ts';
import type { Caller } from '#lib/table/api-keys.ts';
import type { Table } from '#lib/table/table.ts';
import { checks } from './checks.ts';
import { entityTagOf, ifNoneMatchHolds } from './conditional.ts';
import type { Endpoint, PathParameters } from './endpoint.ts';
import type { Fault } from './errors.ts';
import type { ApiEvent, ApiResult } from './exchange.ts';
import { likelyBody } from './likely-body.ts';
import { answer } from './middleware/answer.ts';
import type { Guess } from './middleware/require-api-key.ts';
import { jsonText, notModified, varying } from './respond.ts';

type SchemaOutput<S> = S extends z.ZodMiniType ? z.output<S> : undefined;

/** A request as a handler sees it: everything is checked and typed by the declaration. */
export interface RequestOf<E extends Endpoint> {
  readonly principal: Principal;
  readonly table: Table;
  readonly params: PathParameters<E['path']>;
  readonly query: SchemaOutput<E['query']>;
  readonly body: SchemaOutput<NonNullable<E['body']>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** What is likely about a request before its key is known: whatever is read for it may be thrown away. */
export interface GuessedRequest<E extends Endpoint>
  extends Pick<RequestOf<E>, 'table' | 'params' | 'query' | 'headers'> {
  readonly scope: Caller;
  /** The body, as far as it is small; nothing if it would be refused. */
  readonly likelyBody: () => RequestOf<E>['body'] | undefined;
}

/** A request whose key and permissions count, before its query and body have been judged. */
export type AdmittedRequest<E extends Endpoint> = Pick<RequestOf<E>, 'principal' | 'table' | 'params' | 'headers'>;

type Headers = Readonly<Record<string, string>>;

/** `body` passes through the declaration's response schema; `json` is text that a projector has already written. */
export type WrittenReply<E extends Endpoint> = {
  readonly headers?: Headers;
  /** The tag of this very answer. @default - on a GET the hash of the answer, unless `headers` has another tag */
  readonly etag?: string;
} & ({ readonly body: z.input<E['response']> } | { readonly json: string });

/** `unchanged` is the tag of an answer that the caller has already: who knows before it is written saves the work. */
export type Reply<E extends Endpoint> = WrittenReply<E> | { readonly unchanged: string };

/**
 * Wraps the body of an endpoint in the one chain: the order of the checks is that of lib/spec/decisions.md section 1.
 * @param prefetch starts reads that the body will ask for, beside the read of the key; a failure of them is the body's
 * @param admit refuses, after the permissions and before anything else of the request is judged
 */
export const api = <E extends Endpoint>(
  endpoint: E,
  handle: (request: RequestOf<E>) => Promise<Reply<E>>,
  prefetch?: (guessed: GuessedRequest<E>) => void,
  admit?: (request: AdmittedRequest<E>) => Promise<readonly Fault[]>,
) =>
  middy<ApiEvent, ApiResult>()
    .use(answer(endpoint.path))
    .use(checks(endpoint, prefetch && guessing(endpoint, prefetch), admit && ((event) => admit(requestOf<E>(event)))))
    .handler(async (event: ApiEvent): Promise<ApiResult> => {
      const reply = await handle(requestOf<E>(event));
      if ('unchanged' in reply) return notModified(endpoint, reply.unchanged);
      const text = 'json' in reply ? reply.json : render(endpoint, reply.body);
      return endpoint.methods.includes('GET')
        ? cacheable(endpoint, event, text, reply)
        : jsonText(200, text, reply.headers);
    });

/** An entry's tag names its stored version, not all that is shown with it, so it is no reason to answer 304. */
function cacheable(
  endpoint: Endpoint,
  { exchange: { principal }, headers }: ApiEvent,
  text: string,
  { headers: own = {}, etag: given }: Pick<WrittenReply<Endpoint>, 'headers' | 'etag'>,
): ApiResult {
  if (!principal || own['etag'] !== undefined) return jsonText(200, text, { ...varying(endpoint), ...own });
  // The text tells queries apart as far as their answers differ.
  const etag = given ?? entityTagOf(principal, undefined, [text, JSON.stringify(own)]);
  if (ifNoneMatchHolds(headers['if-none-match'], etag)) return notModified(endpoint, etag);
  return jsonText(200, text, { ...varying(endpoint), etag, ...own });
}

/** What the checks have found out, as the handler of the declaration sees it. */
export function requestOf<E extends Endpoint>({ exchange, headers }: ApiEvent): RequestOf<E> {
  const { principal, table, params, query, body } = exchange;
  return { principal, table, params, query, body, headers } as unknown as RequestOf<E>;
}

/** Hands a guess at what the request is about to an endpoint's own early reads. */
export const guessing =
  <E extends Endpoint>(endpoint: E, prefetch: (guessed: GuessedRequest<E>) => void): Guess =>
  (event, caller) => {
    const { exchange, headers } = event;
    const { table, params, query } = exchange;
    if (caller === undefined || query === undefined) return;
    const guessed = { table, params, query, headers, scope: caller };
    prefetch({ ...guessed, likelyBody: () => likelyBody(endpoint, event) } as unknown as GuessedRequest<E>);
  };

/** Only declared members leave the service. */
export const render = (endpoint: Endpoint, body: unknown): string => JSON.stringify(z.parse(endpoint.response, body));
