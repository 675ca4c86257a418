import { warmCall } from '#lib/access/access-call.ts';
import { updateKey } from '#lib/access/write-key.ts';
import { api } from '#lib/http/api.ts';
import { warmKey } from '#lib/table/access/change-api-key.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => updateKey(request, request.params.id),
  warm: (request) => {
    const { table, principal, params } = request;
    return Promise.all([warmCall(request, `PATCH api-keys/${params.id}`), warmKey(table, principal, params.id)]);
  },
});
