import { generatedSecretHasBadChecksum, isWellFormedSecret } from '#lib/domain/access/key-secret.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { PersonSession, Session } from '#lib/domain/access/session.ts';
import { isVisitorToken, isWellFormedToken } from '#lib/domain/access/visitor-token.ts';
import { findPrincipal, hashOfSecret, type KeyIdentity, seenKeys, storedSecret } from '#lib/table/access/api-keys.ts';
import { findSession } from '#lib/table/access/find-session.ts';
import type { SeenCallers } from '#lib/table/access/seen-callers.ts';
import { findVisitor, seenTokens, storedToken } from '#lib/table/access/visitor-tokens.ts';
import type { Table } from '#lib/table/table.ts';
import { cookieOf } from './cookies.ts';
import type { Endpoint, KeyLocation } from './declaration.ts';
import { callersOf } from './endpoint.ts';
import { type HttpError, unauthorized } from './errors.ts';
import type { ApiEvent } from './request-state.ts';

/** The credential of a request: an API key, a session or a visitor's token. */
export interface Credential {
  /** The key, token or cookie itself. */
  readonly secret: string;
  /** Finds the caller. @returns undefined if the credential is not valid @throws Unavailable */
  readonly find: (table: Table) => Promise<Principal | undefined>;
  /** The caller that this container found last; undefined if no work may start before the credential is read. */
  readonly lastSeen?: () => Principal | undefined;
  /** The stored key of a credential that is not valid, for the log. */
  readonly refusedKey?: (table: Table) => Promise<KeyIdentity | undefined>;
  /** The 401 for an invalid credential. All reasons have one text, so that callers learn nothing from it. */
  readonly refusal: () => HttpError;
}

type CallerRules = Pick<Endpoint, 'keyIn' | 'callers'>;

/** A key has precedence over other credentials. @throws 401 without a credential, or for two keys */
export function credentialOf(endpoint: CallerRules, event: ApiEvent): Credential {
  const sent = endpoint.keyIn.flatMap((location) => readers[location](event).map((secret) => ({ secret, location })));
  const [secret, ...others] = new Set(sent.map(({ secret }) => secret));
  if (others.length > 0) throw invalidKey();
  if (secret !== undefined) {
    const isToken = isVisitorToken(secret) && sent.some(({ location }) => location === 'bearer');
    return isToken ? visitorToken(secret) : apiKey(secret);
  }
  const callers = callersOf(endpoint);
  const cookie = callers.includes('session') && !carriesKey(event) ? cookieOf(event, 'session') : undefined;
  if (cookie !== undefined) {
    event.state.isBySession = true;
    return session(cookie);
  }
  throw callers.includes('key') ? missingKey(endpoint) : missingSession();
}

/** Whether a request carries a key or token anywhere, even where its route does not look. */
const carriesKey = ({ headers, state }: ApiEvent): boolean =>
  bearerCredential(headers['authorization'] ?? '').length > 0 ||
  (headers['x-api-key'] ?? '') !== '' ||
  state.queryString.getAll('apiKey').some(Boolean);

const missingKey = ({ keyIn }: CallerRules) =>
  unauthorized('missing_api_key', `Send an API key ${keyIn.map((location) => locationText[location]).join(' or ')}.`);

const invalidKey = () => unauthorized('invalid_api_key', 'This API key is not valid.');

/** Each reader returns the credentials of one location. An empty one is treated as absent. */
const readers: Record<KeyLocation, (event: ApiEvent) => string[]> = {
  bearer: ({ headers }) => bearerCredential(headers['authorization'] ?? ''),
  'x-api-key': ({ headers }) => [headers['x-api-key'] ?? ''].filter(Boolean),
  query: ({ state }) => {
    const values = state.queryString.getAll('apiKey');
    if (values.length > 1) throw invalidKey();
    return values.filter(Boolean);
  },
};

function bearerCredential(authorization: string): string[] {
  const [scheme = '', ...rest] = authorization.trim().split(' ');
  const credential = rest.join(' ').trim();
  return scheme.toLowerCase() === 'bearer' && credential !== '' ? [credential] : [];
}

const locationText: Record<KeyLocation, string> = {
  bearer: 'as "Authorization: Bearer <API_KEY>"',
  'x-api-key': 'in the x-api-key header',
  query: 'in the apiKey query parameter',
};

/** What finds a caller by the hash of its credential. */
interface Finders {
  readonly find: (table: Table, hash: string) => Promise<Principal | undefined>;
  readonly seen: SeenCallers;
  readonly refusedKey: (table: Table, hash: string) => Promise<KeyIdentity | undefined>;
}

/** @param mayExist saves the look-up of a malformed one, which cannot be stored */
function hashed(secret: string, mayExist: boolean, finders: Finders, refusal: () => HttpError): Credential {
  if (!mayExist) return { secret, find: async () => undefined, refusal };
  const hash = hashOfSecret(secret);
  return {
    secret,
    find: (table) => finders.find(table, hash),
    lastSeen: () => finders.seen.findForSpeculation(hash),
    refusedKey: (table) => finders.refusedKey(table, hash),
    refusal,
  };
}

const keyFinders: Finders = { find: findPrincipal, seen: seenKeys, refusedKey: storedSecret };
const tokenFinders: Finders = { find: findVisitor, seen: seenTokens, refusedKey: storedToken };

/** An API key (lib/spec/decisions.md section 2). */
const apiKey = (secret: string): Credential =>
  hashed(secret, isWellFormedSecret(secret) && !generatedSecretHasBadChecksum(secret), keyFinders, invalidKey);

/** A visitor's token (lib/spec/additions.md section 4). */
const visitorToken = (token: string): Credential => hashed(token, isWellFormedToken(token), tokenFinders, invalidToken);

export const invalidToken = () =>
  unauthorized('invalid_api_key', "This visitor's token is not valid, or its hour is over.");

/** The session of a signed-in member (lib/spec/additions.md section 6). @param cookie the value of the cookie */
const session = (cookie: string): Credential => ({
  secret: cookie,
  find: async (table) => {
    const found = await findSession(table, cookie);
    return found && principalOf(found);
  },
  refusal: invalidSession,
});

export const invalidSession = () => unauthorized('invalid_session', 'This session has ended. Sign in again.');

export const missingSession = () =>
  unauthorized('missing_session', 'Sign in first: this address takes a session only.');

/** The slash of the id keeps it apart from ids of API keys. The scope of a person without a workspace is none. */
function principalOf(found: Session | PersonSession): Principal {
  const callerId = `session/${found.cookieHash.slice(0, 32)}`;
  const common = { callerId, keyId: undefined, person: found };
  if (!('member' in found)) {
    const actor = { type: 'member', id: '', name: '' } as const;
    const nothing = { permissions: new Set<never>(), member: undefined };
    return { ...common, ...nothing, kind: 'person', workspaceId: '', idempotencyId: callerId, actor };
  }
  const { id, name } = found.member;
  const permissions = new Set(found.member.permissions);
  return {
    ...common,
    kind: 'session',
    workspaceId: found.workspaceId,
    idempotencyId: `member/${id}`,
    actor: { type: 'member', id, name },
    permissions,
    member: { id, permissions },
    session: found,
  };
}
