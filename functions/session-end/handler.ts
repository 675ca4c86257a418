import { api } from '#lib/http/api.ts';
import { logoutUrl } from '#lib/session/logout-url.ts';
import { personSessionOf } from '#lib/session/profile.ts';
import { noSessionCookie } from '#lib/session/set-cookies.ts';
import { endSession } from '#lib/table/access/sessions.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ table, principal }) => {
    const body = { logoutUrl: logoutUrl() };
    await endSession(table, personSessionOf(principal));
    return { body, headers: { 'set-cookie': noSessionCookie() } };
  },
});
