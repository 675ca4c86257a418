import type { Endpoint } from '../endpoint.ts';
import { declarationFor } from '../endpoint-kinds.ts';
import { invalidQuery, validationFailed } from '../errors.ts';
import type { ApiEvent } from '../exchange.ts';
import { readHeaders } from '../headers.ts';
import { readQuery } from '../query.ts';

/** Reads query string and headers before the key is known, so that reads can start early; faults wait for their turn. */
export const readParameters = (endpoint: Endpoint) => ({
  before: ({ event: { exchange, headers: sent } }: { event: ApiEvent }) => {
    const { query, headers } = declarationFor(endpoint, exchange.params);
    const read = readQuery(query, exchange.queryString);
    exchange.faults.push(...(read.issues ?? []).map(invalidQuery));
    exchange.query = read.query;
    const readBeside = headers ? readHeaders(headers, sent) : { headers: {} };
    if ('issues' in readBeside) exchange.faults.push(...readBeside.issues.map(validationFailed));
    else exchange.sentHeaders = readBeside.headers;
  },
});
