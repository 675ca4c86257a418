import { readApi } from '#lib/http/read-api.ts';
import { profileOf, sessionOf } from '#lib/session/profile.ts';
import { renewSession } from '#lib/table/access/sessions.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  // The caller of a session is unknown until the session is read. So this handler never runs early and may write.
  handle: async ({ table, principal }) => {
    const session = sessionOf(principal);
    // If the renewal fails, the session keeps its previous end.
    const times = renewSession(table, session).catch(() => session);
    return { body: await profileOf(table, session, times) };
  },
});
