import { warmCall } from '#lib/access/access-call.ts';
import { deleteMember } from '#lib/access/write-member.ts';
import { api } from '#lib/http/api.ts';
import { warmMember } from '#lib/table/access/change-member.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => deleteMember(request, request.params.id),
  warm: (request) => {
    const { table, principal, params } = request;
    return Promise.all([warmCall(request, `DELETE members/${params.id}`), warmMember(table, principal, params.id)]);
  },
});
