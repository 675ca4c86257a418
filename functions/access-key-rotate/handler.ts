import { warmCall } from '#lib/access/access-call.ts';
import { rotateKey } from '#lib/access/write-key.ts';
import { api } from '#lib/http/api.ts';
import { warmKey } from '#lib/table/access/change-api-key.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => rotateKey(request, request.params.id, request.body.graceSeconds),
  warm: (request) => {
    const { table, principal, params } = request;
    return Promise.all([warmCall(request, `POST api-keys/${params.id}/rotate`), warmKey(table, principal, params.id)]);
  },
});
