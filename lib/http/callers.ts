import { generatedSecretHasBadChecksum, isWellFormedSecret } from '#lib/domain/access/key-secret.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { PersonSession, Session } from '#lib/domain/access/session.ts';
import { isVisitorToken, isWellFormedToken } from '#lib/domain/access/visitor-token.ts';
import {
  findPrincipal,
  hashOfSecret,
  type KeyIdentity,
  lastSeenPrincipal,
  storedKeyOf,
} from '#lib/table/access/api-keys.ts';
import { findSession } from '#lib/table/access/find-session.ts';
import { findVisitor, lastSeenVisitor, storedToken } from '#lib/table/access/find-visitor.ts';
import type { Table } from '#lib/table/table.ts';
import { cookieOf } from './cookies.ts';
import type { Endpoint, KeyLocation } from './declaration.ts';
import { callersOf } from './endpoint.ts';
import { type HttpError, unauthorized } from './errors.ts';
import type { ApiEvent } from './request-state.ts';

/**
 * The credential of a request: an API key, a session or a visitor's token. One function below makes each kind.
 */
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
  const callers = callersOf(endpoint);
  const keyOrToken = requestKey(endpoint, event);
  if (keyOrToken?.isBearer && isVisitorToken(keyOrToken.secret)) return visitorToken(keyOrToken.secret);
  if (keyOrToken) return apiKey(keyOrToken.secret);
  const cookie = callers.includes('session') && !carriesKey(event) ? cookieOf(event, 'session') : undefined;
  if (cookie !== undefined) {
    event.state.isBySession = true;
    return session(cookie);
  }
  throw callers.includes('key') ? missingKey(endpoint) : missingSession();
}

interface RequestKey {
  readonly secret: string;
  readonly isBearer: boolean;
}

/**
 * The key or token of a request, in the locations of the declaration (lib/spec/decisions.md section 2).
 * @returns undefined without one
 * @throws 401 for two
 */
function requestKey({ keyIn }: Pick<Endpoint, 'keyIn'>, event: ApiEvent): RequestKey | undefined {
  const credentials = keyIn.flatMap((location) => readers[location](event).map((secret) => ({ secret, location })));
  const [secret, ...others] = new Set(credentials.map(({ secret }) => secret));
  if (others.length > 0) throw invalidKey();
  return secret === undefined
    ? undefined
    : { secret, isBearer: credentials.some(({ location }) => location === 'bearer') };
}

/** Whether a request carries a key or token anywhere, even where its route does not look. */
const carriesKey = ({ headers, state }: ApiEvent): boolean =>
  bearerCredential(headers['authorization'] ?? '').length > 0 ||
  (headers['x-api-key'] ?? '') !== '' ||
  state.queryString.getAll('apiKey').some(Boolean);

const missingKey = ({ keyIn }: Pick<Endpoint, 'keyIn'>) =>
  unauthorized('missing_api_key', `Send an API key ${locationsText(keyIn)}.`);

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

const locationsText = (locations: readonly KeyLocation[]): string =>
  locations.map((location) => locationText[location]).join(' or ');

/** An API key (lib/spec/decisions.md section 2). */
function apiKey(secret: string): Credential {
  if (!mayExist(secret)) return { secret, find: async () => undefined, refusal: invalidKey };
  const secretHash = hashOfSecret(secret);
  return {
    secret,
    find: (table) => findPrincipal(table, secretHash),
    lastSeen: () => lastSeenPrincipal(secretHash),
    refusedKey: (table) => storedKeyOf(table, secretHash),
    refusal: invalidKey,
  };
}

/** Saves the look-up of malformed keys, which cannot be stored. */
const mayExist = (secret: string): boolean => isWellFormedSecret(secret) && !generatedSecretHasBadChecksum(secret);

/** The session of a signed-in member (lib/spec/additions.md section 6). @param cookie the value of the cookie */
const session = (cookie: string): Credential => ({
  secret: cookie,
  find: async (table) => {
    const found = await findSession(table, cookie);
    return found && ('member' in found ? principalOf(found) : personOf(found));
  },
  refusal: invalidSession,
});

export const invalidSession = () => unauthorized('invalid_session', 'This session has ended. Sign in again.');

export const missingSession = () =>
  unauthorized('missing_session', 'Sign in first: this address takes a session only.');

/** The slash keeps it apart from ids of API keys. */
function principalOf(found: Session): Principal {
  const { workspaceId, cookieHash, member } = found;
  const { id, name } = member;
  const permissions = new Set(member.permissions);
  return {
    kind: 'session',
    workspaceId,
    callerId: `session/${cookieHash.slice(0, 32)}`,
    idempotencyId: `member/${id}`,
    keyId: undefined,
    actor: { type: 'member', id, name },
    permissions,
    member: { id, permissions },
    session: found,
    person: found,
  };
}

/** Its scope is no workspace. */
const personOf = (found: PersonSession): Principal => ({
  kind: 'person',
  workspaceId: '',
  callerId: `session/${found.cookieHash.slice(0, 32)}`,
  idempotencyId: `session/${found.cookieHash.slice(0, 32)}`,
  keyId: undefined,
  actor: { type: 'member', id: '', name: '' },
  permissions: new Set(),
  member: undefined,
  person: found,
});

/** A visitor's token (lib/spec/additions.md section 4). */
function visitorToken(token: string): Credential {
  if (!isWellFormedToken(token)) return { secret: token, find: async () => undefined, refusal: invalidToken };
  const tokenHash = hashOfSecret(token);
  return {
    secret: token,
    find: (table) => findVisitor(table, tokenHash),
    lastSeen: () => lastSeenVisitor(tokenHash),
    refusedKey: async (table) => {
      const stored = await storedToken(table, tokenHash);
      return stored && { workspaceId: stored.workspaceId, keyId: stored.keyId };
    },
    refusal: invalidToken,
  };
}

export const invalidToken = () =>
  unauthorized('invalid_api_key', "This visitor's token is not valid, or its hour is over.");
