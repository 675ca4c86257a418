import { lists } from '#lib/access/lists.ts';
import { readApi } from '#lib/http/read-api.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: ({ table, principal, params, query }) => lists[params.kind as keyof typeof lists](table, principal, query),
});
