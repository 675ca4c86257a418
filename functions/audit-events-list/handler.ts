import { listEvents } from '#lib/access/lists.ts';
import { api } from '#lib/http/api.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ table, principal, query }) => ({ body: await listEvents(table, principal, query) }),
});
