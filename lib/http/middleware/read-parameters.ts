import type { Endpoint } from '../endpoint.ts';
import { invalidQuery, validationFailed } from '../errors.ts';
import type { ApiEvent } from '../exchange.ts';
import { readHeaders } from '../headers.ts';
import { readQuery } from '../query.ts';

/** Reads query string and headers before the key is known, so that reads can start early; faults wait for their turn. */
export const readParameters = ({ query, headers }: Pick<Endpoint, 'query' | 'headers'>) => ({
  before: ({ event: { exchange, headers: sent } }: { event: ApiEvent }) => {
    const read = readQuery(query, exchange.queryString);
    if ('issues' in read) exchange.faults.push(...read.issues.map(invalidQuery));
    else exchange.query = read.query;
    const readBeside = headers ? readHeaders(headers, sent) : { headers: {} };
    if ('issues' in readBeside) exchange.faults.push(...readBeside.issues.map(validationFailed));
    else exchange.sentHeaders = readBeside.headers;
  },
});
