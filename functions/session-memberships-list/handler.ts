import { readApi } from '#lib/http/read-api.ts';
import { membershipsView } from '#lib/session/memberships.ts';
import { personSessionOf } from '#lib/session/profile.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: async ({ table, principal }) => ({ body: await membershipsView(table, personSessionOf(principal)) }),
});
