import { lists } from '#lib/access/lists.ts';
import { api } from '#lib/http/api.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: ({ table, principal, params, query }) => lists[params.kind as keyof typeof lists](table, principal, query),
});
