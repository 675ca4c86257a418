import { api } from '#lib/http/api.ts';
import { carryOut } from '#lib/manage/changes.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => ({ body: { results: await carryOut(request, request.body.changes) } }),
});
