import { warmCall } from '#lib/access/access-call.ts';
import { replaceMember } from '#lib/access/write-member.ts';
import { api } from '#lib/http/api.ts';
import { warmMember } from '#lib/table/access/change-member.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => replaceMember(request, request.params.id),
  warm: (request) => {
    const { table, principal, params } = request;
    return Promise.all([warmCall(request, `PUT members/${params.id}`), warmMember(table, principal, params.id)]);
  },
});
