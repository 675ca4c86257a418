import { api } from '#lib/http/api.ts';
import { personSessionOf } from '#lib/session/profile.ts';
import { sessionCookie } from '#lib/session/set-cookies.ts';
import { switchWorkspace } from '#lib/session/switch-workspace.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ table, principal, body, logDetails, requestId }) => {
    const { cookie, profile } = await switchWorkspace(table, personSessionOf(principal), { ...body, requestId });
    Object.assign(logDetails, { switchedTo: profile.workspace.id });
    return { body: profile, headers: { 'set-cookie': sessionCookie(cookie) } };
  },
});
