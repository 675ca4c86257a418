import type { Person } from '#lib/domain/access/session.ts';
import { identityOf, membershipsOf } from '#lib/table/access/people.ts';
import { newPersonSession, newSession } from '#lib/table/access/sessions.ts';
import { repeatTransaction, repeatWrite, tryChange } from '#lib/table/writer/repeat-write.ts';
import { type Answer, type Call, call } from './call.ts';
import { testTable } from './world.ts';

/** A signed-in member. */
export interface SignedIn {
  /** The value of the cookie. */
  readonly cookie: string;
  /** The headers that a page of the service's origin sends. */
  readonly headers: Readonly<Record<string, string>>;
  /** A request with the session, in the form of that page. */
  readonly call: (request: string, options?: Call) => Promise<Answer>;
}

/**
 * Starts a session of a stored member, as a sign-in with a verified address does.
 * @param now its start, in milliseconds since 1970
 */
export async function signIn(
  { workspaceId, address }: { readonly workspaceId: string; readonly address: string },
  now = Date.now(),
): Promise<SignedIn> {
  const person = personOf(address);
  const { memberships: own } = await membershipsOf(testTable(), person);
  const membership = own.find(({ workspace }) => workspace.id === workspaceId);
  const session = membership && newSession({ person, membership, requestId: null }, now);
  if (!session) throw new Error(`There is no active member of ${workspaceId} with the address ${address}.`);
  await repeatWrite(testTable(), {
    prepare: () => session,
    write: async ({ writes }) => (await tryChange(testTable(), writes)) ?? 'stored',
  });
  return signedInBy(session.cookie);
}

/** Starts a session of a person who has not chosen a workspace. */
export async function signInPerson(address: string): Promise<SignedIn> {
  const session = newPersonSession(personOf(address));
  await repeatTransaction(testTable(), session.writes);
  return signedInBy(session.cookie);
}

/** Accepts a membership that somebody else has made, as the person with the address. */
export async function acceptMembership({
  workspaceId,
  address,
}: {
  readonly workspaceId: string;
  readonly address: string;
}): Promise<void> {
  const person = await signInPerson(address);
  const request = `POST /api/v1/session/memberships/${workspaceId}`;
  const { status } = await person.call(request, { body: { accept: true } });
  if (status !== 204) throw new Error(`The membership was not accepted: ${status}.`);
}

/** The person with an address at the issuer `test`. */
export const personOf = (address: string): Person => ({ address, identity: identityOf('test', address) });

export function signedInBy(cookie: string): SignedIn {
  const headers = { cookie: `${sessionCookieName()}=${cookie}`, 'sec-fetch-site': 'same-origin' };
  return {
    cookie,
    headers,
    call: (request, options = {}) => call(request, { ...options, headers: { ...headers, ...options.headers } }),
  };
}

/** With an `http:` address, as in the local run, browsers refuse `__Host-` cookies. */
export const sessionCookieName = (): string =>
  process.env['PUBLIC_URL']?.startsWith('http:') ? 'session' : '__Host-session';
