import type { Person } from '#lib/domain/access/session.ts';
import { cookieOf } from '#lib/http/cookies.ts';
import { openTable } from '#lib/http/open-table.ts';
import { type Redirect, redirectApi } from '#lib/http/public-api.ts';
import type { ApiEvent } from '#lib/http/request-state.ts';
import { exchangeCode } from '#lib/session/exchange-code.ts';
import { readLogin } from '#lib/session/login-state.ts';
import { consolePath } from '#lib/session/paths.ts';
import { noLoginCookie, sessionCookie } from '#lib/session/set-cookies.ts';
import { failing, SignInFailure } from '#lib/session/sign-in-failure.ts';
import { type Membership, type Memberships, membershipsOf } from '#lib/table/access/people.ts';
import { type NewSession, newPersonSession, newSession } from '#lib/table/access/sessions.ts';
import type { Table } from '#lib/table/table.ts';
import { repeatWrite, tryChange } from '#lib/table/writer/repeat-write.ts';
import { endpoint } from './endpoint.ts';

/** After the calls of the issuer. */
export const storeMilliseconds = 2_600;

export const handler = redirectApi(endpoint, { handle: completeLogin, ...failing }, [openTable()]);

/** Ends a login that began here: the session begins. @throws SignInFailure, Unavailable */
async function completeLogin(event: ApiEvent): Promise<Redirect> {
  const { queryString, tableFor, logDetails, requestId } = event.state;
  const login = await readLogin(cookieOf(event, 'login'));
  // The cookie is valid for one try, so a state cannot be used twice in the same browser.
  if (!login) throw new SignInFailure('expired');
  const person = await exchangeCode(queryString, login);
  if (!tableFor) throw new Error('The table is not open.');
  const { cookie, membership } = await signIn(tableFor(storeMilliseconds), person, login.workspaceId, requestId);
  if (membership) Object.assign(logDetails, { workspaceId: membership.workspace.id, memberId: membership.member.id });
  return { location: consolePath, cookies: [sessionCookie(cookie), noLoginCookie()] };
}

const signIn = (table: Table, person: Person, workspaceId: string, requestId: string) =>
  repeatWrite(table, {
    prepare: async (): Promise<NewSession & { readonly membership: Membership | undefined }> => {
      const found = await membershipsOf(table.uncached(), person);
      if (found.memberships.length + found.pending.length === 0) {
        throw new SignInFailure(found.isBoundToAnotherIdentity ? 'identity_mismatch' : 'not_a_member');
      }
      const membership = startOf(found, workspaceId);
      const session = membership ? newSession({ person, membership, requestId }) : newPersonSession(person);
      return { ...session, membership };
    },
    write: async (session) => (await tryChange(table, session.writes)) ?? session,
  });

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
