import { warmCall } from '#lib/access/access-call.ts';
import { createKey } from '#lib/access/write-key.ts';
import { api } from '#lib/http/api.ts';
import { keys } from '#lib/table/keys.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: createKey,
  warm: (request) =>
    Promise.all([
      warmCall(request, 'POST api-keys'),
      request.table.get(keys.importLease(request.principal.workspaceId)),
    ]),
});
