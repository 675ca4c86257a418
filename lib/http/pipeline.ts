import { authenticate, type EarlyWork } from './authenticate.ts';
import { type FindIssues, parseBody, readJsonBody } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import { invalidQuery, validationFailed } from './errors.ts';
import { readHeaders } from './headers.ts';
import { openTable } from './open-table.ts';
import { readQuery } from './query.ts';
import type { ApiEvent } from './request-state.ts';
import { matchRoute, requireOrigin } from './route.ts';

interface Hooks {
  /** Throws errors that do not depend on the body (lib/spec/decisions.md section 1). */
  readonly precheck?: ((event: ApiEvent) => Promise<void>) | undefined;
  /** Begins before the caller is known; authenticate.ts. */
  readonly work?: EarlyWork | undefined;
  readonly findIssues?: FindIssues | undefined;
  /** Whether the handler reads the body. It then answers its issues with those of the parameters. */
  readonly isReceiving?: boolean;
}

/** What a request passes before the handler of its endpoint, in the order of lib/spec/decisions.md section 1. */
export const pipeline = (endpoint: Endpoint, { precheck, work, findIssues, isReceiving }: Hooks = {}) => [
  requireOrigin(),
  matchRoute(endpoint),
  openTable(),
  readParameters(),
  authenticate(endpoint, work),
  { before: async ({ event }: { event: ApiEvent }) => precheck?.(event) },
  ...(isReceiving ? [] : [readJsonBody(endpoint), parseBody(endpoint, findIssues)]),
];

/** The same for a route without callers. */
export const publicPipeline = (endpoint: Endpoint) => [
  requireOrigin(),
  matchRoute(endpoint),
  openTable(),
  readParameters(),
];

/**
 * Reads query string and headers before the key is read, so that reads can start early. Issues are answered later, in
 * their order.
 */
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
