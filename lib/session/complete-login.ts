import type { Person } from '#lib/domain/access/session.ts';
import { cookieOf, noLoginCookie, sessionCookie } from '#lib/http/cookies.ts';
import type { Redirect } from '#lib/http/public-api.ts';
import type { ApiEvent } from '#lib/http/request-state.ts';
import { type Membership, membershipsOf } from '#lib/table/access/people.ts';
import { newSession, tryStartSession } from '#lib/table/access/sessions.ts';
import type { Table } from '#lib/table/table.ts';
import { repeatWrite } from '#lib/table/writer/repeat-write.ts';
import { exchangeCode } from './exchange-code.ts';
import { readLogin } from './login-state.ts';
import { consolePath } from './paths.ts';
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
  Object.assign(logDetails, { workspaceId: membership.workspace.id, memberId: membership.member.id });
  return { location: consolePath, cookies: [sessionCookie(cookie), noLoginCookie()] };
}

function signIn(
  table: Table,
  person: Person,
  { workspaceId, requestId }: { readonly workspaceId: string; readonly requestId: string },
) {
  return repeatWrite(table, {
    prepare: async () => {
      const { memberships: own, isBoundToAnotherIdentity } = await membershipsOf(table.uncached(), person);
      const membership = chooseWorkspace(own, workspaceId);
      if (!membership) throw new SignInFailure(isBoundToAnotherIdentity ? 'identity_mismatch' : 'not_a_member');
      return { ...newSession({ person, membership, requestId }), membership };
    },
    write: (session) => tryStartSession(table, session),
  });
}

/** The workspace that the person requested, the last one, or the first one. */
function chooseWorkspace(own: readonly Membership[], workspaceId: string): Membership | undefined {
  const requested = own.find(({ workspace }) => workspace.id === workspaceId);
  return requested ?? own.toSorted((a, b) => b.signedInAt - a.signedInAt)[0];
}
