import { api } from '#lib/http/api.ts';
import { changeProfile } from '#lib/session/change-profile.ts';
import { profileOf, sessionOf } from '#lib/session/profile.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => {
    const { table, principal, body } = request;
    const session = sessionOf(principal);
    await changeProfile(request, session, body);
    return { body: await profileOf(table, session, session) };
  },
});
