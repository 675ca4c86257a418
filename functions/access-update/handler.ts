import { warmCall } from '#lib/access/access-call.ts';
import { updateKey } from '#lib/access/write-key.ts';
import { updateMember } from '#lib/access/write-member.ts';
import { api } from '#lib/http/api.ts';
import { warmKey } from '#lib/table/access/change-api-key.ts';
import { warmMember } from '#lib/table/access/change-member.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) =>
    request.params.kind === 'members'
      ? updateMember(request, request.params.id)
      : updateKey(request, request.params.id),
  warm: (request) => {
    const { table, principal, params } = request;
    const warm = params.kind === 'members' ? warmMember : warmKey;
    return Promise.all([warmCall(request, `PATCH ${params.kind}/${params.id}`), warm(table, principal, params.id)]);
  },
});
