import middy from '@middy/core';
import * as z from 'zod/mini';
import type { Principal, WorkspaceScope } from '#lib/domain/principal.ts';
import type { Table } from '#lib/table/table.ts';
import type { Endpoint, PathParameters } from './endpoint.ts';
import type { ApiEvent, ApiResult } from './exchange.ts';
import { answer } from './middleware/answer.ts';
import { matchRoute } from './middleware/match-route.ts';
import { openTable } from './middleware/open-table.ts';
import { parseBody } from './middleware/parse-body.ts';
import { readJsonBody } from './middleware/read-json-body.ts';
import { readQueryString } from './middleware/read-query-string.ts';
import { type Guess, requireApiKey } from './middleware/require-api-key.ts';
import { requirePermissions } from './middleware/require-permissions.ts';
import { jsonText } from './respond.ts';

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
export interface GuessedRequest<E extends Endpoint> extends Pick<RequestOf<E>, 'table' | 'params' | 'query'> {
  readonly scope: WorkspaceScope;
}

type Headers = Readonly<Record<string, string>>;

/** `body` passes through the declaration's response schema; `json` is text that a projector has already written. */
export type Reply<E extends Endpoint> =
  | { readonly body: z.input<E['response']>; readonly headers?: Headers }
  | { readonly json: string; readonly headers?: Headers };

/**
 * Wraps the body of an endpoint in the one chain: the order of the checks is that of decisions.md section 1.
 * @param prefetch starts reads that the body will ask for, beside the read of the key; a failure of them is the body's
 */
export const api = <E extends Endpoint>(
  endpoint: E,
  handle: (request: RequestOf<E>) => Promise<Reply<E>>,
  prefetch?: (guessed: GuessedRequest<E>) => void,
) =>
  middy<ApiEvent, ApiResult>()
    .use(answer(endpoint.path))
    .use(matchRoute(endpoint))
    .use(openTable())
    .use(readQueryString(endpoint))
    .use(requireApiKey(endpoint, prefetch && guessing(prefetch)))
    .use(requirePermissions(endpoint))
    .use(readJsonBody(endpoint))
    .use(parseBody(endpoint))
    .handler(async (event: ApiEvent): Promise<ApiResult> => {
      const { principal, table, params, query, body } = event.exchange;
      const request = { principal, table, params, query, body, headers: event.headers } as unknown as RequestOf<E>;
      const reply = await handle(request);
      return jsonText(200, 'json' in reply ? reply.json : render(endpoint, reply.body), reply.headers);
    });

const guessing =
  <E extends Endpoint>(prefetch: (guessed: GuessedRequest<E>) => void): Guess =>
  ({ table, params, query }, workspaceId) => {
    if (workspaceId === undefined || query === undefined) return;
    prefetch({ table, params, query, scope: { workspaceId } } as unknown as GuessedRequest<E>);
  };

/** Only declared members leave the service. */
const render = (endpoint: Endpoint, body: unknown): string => JSON.stringify(z.parse(endpoint.response, body));
