import { warmCall } from '#lib/access/access-call.ts';
import { createMember } from '#lib/access/write-member.ts';
import { api } from '#lib/http/api.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: createMember,
  warm: (request) => warmCall(request, 'POST members'),
});
