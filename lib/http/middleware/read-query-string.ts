import type { Endpoint } from '../endpoint.ts';
import { invalidQuery } from '../errors.ts';
import type { ApiEvent } from '../exchange.ts';
import { readQuery } from '../query.ts';

/** Reads the query string before the key is known, so that reads can start early; its faults wait for their turn. */
export const readQueryString = ({ query }: Pick<Endpoint, 'query'>) => ({
  before: ({ event: { exchange } }: { event: ApiEvent }) => {
    const read = readQuery(query, exchange.queryString);
    if ('issues' in read) exchange.faults.push(...read.issues.map(invalidQuery));
    else exchange.query = read.query;
  },
});
