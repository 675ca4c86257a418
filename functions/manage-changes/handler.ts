import { api } from '#lib/http/api.ts';
import { applyChanges } from '#lib/manage/changes.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => ({ body: { results: await applyChanges(request, request.body.changes) } }),
});
