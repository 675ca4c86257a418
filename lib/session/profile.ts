import type { Member } from '#lib/domain/access/member.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { endOfSession, type PersonSession, type Session, type SessionTimes } from '#lib/domain/access/session.ts';
import { invalidSession, missingSession } from '#lib/http/callers.ts';
import { type Membership, membershipsOf } from '#lib/table/access/people.ts';
import type { Table } from '#lib/table/table.ts';
import type { ProfileView } from './profile-view.ts';

/** The session of the caller of a route that takes nothing else. @throws 401 */
export function sessionOf({ session }: Pick<Principal, 'session'>): Session {
  if (!session) throw missingSession();
  return session;
}

/** The session of a person, with or without a workspace. @throws 401 */
export function personSessionOf({ person }: Pick<Principal, 'person'>): PersonSession {
  if (!person) throw missingSession();
  return person;
}

/** @param times the times of the session to show @throws 401 if the session has ended in the meantime */
export async function profileOf(
  table: Table,
  { workspaceId, person }: Session,
  times: Promise<SessionTimes> | SessionTimes,
): Promise<ProfileView> {
  const [{ memberships: own }, shown] = await Promise.all([membershipsOf(table, person), times]);
  const current = own.find(({ workspace }) => workspace.id === workspaceId);
  if (!current) throw invalidSession();
  return profileIn(current, own, shown);
}

/** The profile in one of a person's workspaces. */
export function profileIn(current: Membership, own: readonly Membership[], times: SessionTimes): ProfileView {
  const { id, name, languages, defaultLanguage, currency, timeZone } = current.workspace;
  return {
    ...shownMember(current.member),
    workspace: { id, name, languages: [...languages], defaultLanguage, currency, timeZone },
    workspaces: own.map(({ workspace, member }) => ({ id: workspace.id, name: workspace.name, memberId: member.id })),
    session: { createdAt: isoOf(times.createdAt), expiresAt: isoOf(endOfSession(times)) },
  };
}

const shownMember = ({ id, name, email, language, permissions }: Member) => ({
  id,
  name,
  email: email ?? '',
  language: language ?? null,
  permissions: [...permissions],
});

const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
