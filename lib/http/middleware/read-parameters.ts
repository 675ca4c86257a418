import type { Endpoint } from '../endpoint.ts';
import { declarationFor } from '../endpoint-kinds.ts';
import { invalidQuery, validationFailed } from '../errors.ts';
import { readHeaders } from '../headers.ts';
import { readQuery } from '../query.ts';
import type { ApiEvent } from '../request-state.ts';

/**
 * Reads query string and headers before the key is read, so that reads can start early. Issues are answered later, in
 * their order.
 */
export const readParameters = (endpoint: Endpoint) => ({
  before: ({ event: { state, headers: sent } }: { event: ApiEvent }) => {
    const { query, headers } = declarationFor(endpoint, state.params);
    const read = readQuery(query, state.queryString);
    state.requestIssues.push(...(read.issues ?? []).map(invalidQuery));
    state.query = read.query;
    const readHeaderValues = headers ? readHeaders(headers, sent) : { headers: {} };
    if ('issues' in readHeaderValues) state.requestIssues.push(...readHeaderValues.issues.map(validationFailed));
    else state.sentHeaders = readHeaderValues.headers;
  },
});
