import { api } from '#lib/http/api.ts';
import { profileOf, sessionOf } from '#lib/session/profile.ts';
import { renewSession } from '#lib/table/access/sessions.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  // Nothing is known of a session before it is read, so this never runs early and may write.
  handle: async ({ table, principal }) => {
    const session = sessionOf(principal);
    // A session that cannot be renewed now counts until its former end.
    const times = renewSession(table, session).catch(() => session);
    return { body: await profileOf(table, session, times) };
  },
});
