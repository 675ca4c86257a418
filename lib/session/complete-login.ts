import type { Person } from '#lib/domain/access/session.ts';
import { cookieOf } from '#lib/http/cookies.ts';
import type { Redirect } from '#lib/http/public-api.ts';
import type { ApiEvent } from '#lib/http/request-state.ts';
import { type Membership, type Memberships, membershipsOf } from '#lib/table/access/people.ts';
import { type NewSession, newPersonSession, newSession, tryStartSession } from '#lib/table/access/sessions.ts';
import type { Table } from '#lib/table/table.ts';
import { repeatWrite } from '#lib/table/writer/repeat-write.ts';
import { exchangeCode } from './exchange-code.ts';
import { readLogin } from './login-state.ts';
import { consolePath } from './paths.ts';
import { noLoginCookie, sessionCookie } from './set-cookies.ts';
import { SignInFailure } from './sign-in-failure.ts';

/** After the calls of the issuer. */
export const storeMilliseconds = 2_600;

/** Ends a login that began here: the session begins. @throws SignInFailure, Unavailable */
export async function completeLogin(event: ApiEvent): Promise<Redirect> {
  const { queryString, tableFor, logDetails, requestId } = event.state;
  const login = await readLogin(cookieOf(event, 'login'));
  // The cookie is valid for one try, so a state cannot be used twice in the same browser.
  if (!login) throw new SignInFailure('expired');
  const person = await exchangeCode(queryString, login);
  if (!tableFor) throw new Error('The table is not open.');
  const { cookie, membership } = await signIn(tableFor(storeMilliseconds), person, {
    workspaceId: login.workspaceId,
    requestId,
  });
  if (membership) Object.assign(logDetails, { workspaceId: membership.workspace.id, memberId: membership.member.id });
  return { location: consolePath, cookies: [sessionCookie(cookie), noLoginCookie()] };
}

function signIn(
  table: Table,
  person: Person,
  { workspaceId, requestId }: { readonly workspaceId: string; readonly requestId: string },
) {
  return repeatWrite(table, {
    prepare: async (): Promise<NewSession & { readonly membership: Membership | undefined }> => {
      const found = await membershipsOf(table.uncached(), person);
      if (found.memberships.length + found.pending.length === 0) {
        throw new SignInFailure(found.isBoundToAnotherIdentity ? 'identity_mismatch' : 'not_a_member');
      }
      const membership = startOf(found, workspaceId);
      const session = membership ? newSession({ person, membership, requestId }) : newPersonSession(person);
      return { ...session, membership };
    },
    write: (session) => tryStartSession(table, session),
  });
}

/**
 * Where a session starts: in the requested workspace, else in the last one or the only one. Without one of them, or with
 * a membership to accept, the person has to choose.
 */
function startOf({ memberships, pending }: Memberships, workspaceId: string): Membership | undefined {
  const requested = memberships.find(({ workspace }) => workspace.id === workspaceId);
  if (requested || pending.length > 0) return requested;
  const [last, ...others] = memberships.toSorted((a, b) => b.signedInAt - a.signedInAt);
  return others.length === 0 || (last && last.signedInAt > 0) ? last : undefined;
}
