import { inviteMember } from '#lib/access/invite-member.ts';
import { api } from '#lib/http/api.ts';
import { inviterSettings } from '#lib/invitations/inviter-settings.ts';
import { findRecord } from '#lib/table/record-of.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => inviteMember(request, request.params.id, inviterSettings()),
  warm: ({ table, principal, params }) =>
    Promise.all([findRecord(table, principal, 'member', params.id), findWorkspace(table, principal.workspaceId)]),
});
