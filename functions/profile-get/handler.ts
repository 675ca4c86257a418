import { api } from '#lib/http/api.ts';
import { profileOf, sessionOf } from '#lib/session/profile.ts';
import { renewSession } from '#lib/table/access/sessions.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  // A session has no expected caller before it is read. So this handler never runs early and may write.
  handle: async ({ table, principal }) => {
    const session = sessionOf(principal);
    // A session that cannot be renewed now is valid until its former end.
    const times = renewSession(table, session).catch(() => session);
    return { body: await profileOf(table, session, times) };
  },
});
