import type { Session } from '#lib/domain/access/session.ts';
import { invalidSession } from '#lib/http/callers/session.ts';
import { notFound } from '#lib/http/errors.ts';
import { membershipsOf } from '#lib/table/access/people.ts';
import { isSessionStored, startSession } from '#lib/table/access/sessions.ts';
import { Unavailable } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';
import { profileIn } from './profile.ts';
import type { ProfileView } from './profile-view.ts';

const triesMax = 3;

/**
 * Ends the session and begins one in another workspace of the person, with the same times.
 * @throws 404 for any other workspace, whether or not it exists; 401 if the session has ended in the meantime
 */
export async function switchWorkspace(
  table: Table,
  session: Session,
  workspaceId: string,
): Promise<{ readonly cookie: string; readonly profile: ProfileView }> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const reads = tries === 1 ? table : table.uncached();
    const { own } = await membershipsOf(reads, session.person);
    const membership = own.find(({ workspace }) => workspace.id === workspaceId);
    if (!membership) throw notFound('Workspace');
    const started = await startSession(reads, { person: session.person, membership, replaced: session });
    if (started !== undefined) return { cookie: started, profile: profileIn(membership, own, session) };
    if (!(await isSessionStored(table.uncached(), session))) throw invalidSession();
  }
  throw new Unavailable('The member kept changing under the switch.');
}
