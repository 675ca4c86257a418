import { api } from '#lib/http/api.ts';
import { invalidSession } from '#lib/http/callers.ts';
import { notFound } from '#lib/http/errors.ts';
import { personSessionOf, profileIn } from '#lib/session/profile.ts';
import { sessionCookie } from '#lib/session/set-cookies.ts';
import { membershipsOf } from '#lib/table/access/people.ts';
import { isSessionStored, newSession } from '#lib/table/access/sessions.ts';
import { repeatWrite, tryChange } from '#lib/table/writer/repeat-write.ts';
import { endpoint } from './endpoint.ts';

/**
 * Ends the session and begins one in another workspace of the person, with the same times. Any other workspace is 404,
 * whether or not it exists; a session that has ended in the meantime is 401.
 */
export const handler = api(endpoint, {
  handle: async ({ table, principal, body: { workspaceId }, logDetails, requestId }) => {
    const session = personSessionOf(principal);
    const { person } = session;
    const { cookie, membership, own } = await repeatWrite(table, {
      prepare: async (tries) => {
        const { memberships: own } = await membershipsOf(tries === 1 ? table : table.uncached(), person);
        const membership = own.find(({ workspace }) => workspace.id === workspaceId);
        if (!membership) throw notFound('Workspace');
        return { ...newSession({ person, membership, replaced: session, requestId }), membership, own };
      },
      write: async (prepared) => {
        const outcome = (await tryChange(table, prepared.writes)) ?? prepared;
        if (outcome === 'changed' && !(await isSessionStored(table.uncached(), session))) throw invalidSession();
        return outcome;
      },
    });
    Object.assign(logDetails, { switchedTo: membership.workspace.id });
    return { body: profileIn(membership, own, session), headers: { 'set-cookie': sessionCookie(cookie) } };
  },
});
