import type { PersonSession } from '#lib/domain/access/session.ts';
import { invalidSession } from '#lib/http/callers.ts';
import { notFound } from '#lib/http/errors.ts';
import { membershipsOf } from '#lib/table/access/people.ts';
import { isSessionStored, newSession, tryStartSession } from '#lib/table/access/sessions.ts';
import type { Table } from '#lib/table/table.ts';
import { repeatWrite } from '#lib/table/writer/repeat-write.ts';
import { profileIn } from './profile.ts';
import type { ProfileView } from './profile-view.ts';

/**
 * Ends the session and begins one in another workspace of the person, with the same times.
 * @throws 404 for any other workspace, whether or not it exists; 401 if the session has ended in the meantime
 */
export async function switchWorkspace(
  table: Table,
  session: PersonSession,
  { workspaceId, requestId }: { readonly workspaceId: string; readonly requestId: string },
): Promise<{ readonly cookie: string; readonly profile: ProfileView }> {
  const { person } = session;
  const { cookie, membership, own } = await repeatWrite(table, {
    prepare: async (tries) => {
      const { memberships: own } = await membershipsOf(tries === 1 ? table : table.uncached(), person);
      const membership = own.find(({ workspace }) => workspace.id === workspaceId);
      if (!membership) throw notFound('Workspace');
      return { ...newSession({ person, membership, replaced: session, requestId }), membership, own };
    },
    write: async (prepared) => {
      const outcome = await tryStartSession(table, prepared);
      if (outcome === 'changed' && !(await isSessionStored(table.uncached(), session))) throw invalidSession();
      return outcome;
    },
  });
  return { cookie, profile: profileIn(membership, own, session) };
}
