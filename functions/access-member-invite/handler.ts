import { inviteMember } from '#lib/access/invite-member.ts';
import { api } from '#lib/http/api.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => inviteMember(request, request.params.id),
});
