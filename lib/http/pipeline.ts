import { authenticate, type EarlyWork } from './authenticate.ts';
import type { Endpoint } from './declaration.ts';
import { badRequest, invalidQuery, type RequestIssue, validationFailed } from './errors.ts';
import { readHeaders } from './headers.ts';
import { openTable } from './open-table.ts';
import { requireOrigin } from './origin.ts';
import { readQuery } from './query.ts';
import type { ApiEvent } from './request-state.ts';
import { matchRoute } from './route.ts';

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
