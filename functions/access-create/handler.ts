import { warmCall } from '#lib/access/access-call.ts';
import { createKey } from '#lib/access/write-key.ts';
import { createMember } from '#lib/access/write-member.ts';
import { api } from '#lib/http/api.ts';
import { keys } from '#lib/table/keys.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => (request.params.kind === 'members' ? createMember(request) : createKey(request)),
  warm: (request) =>
    Promise.all([
      warmCall(request, `POST ${request.params.kind}`),
      request.table.get(keys.importLease(request.principal.workspaceId)),
    ]),
});
