import { generateKeyPair, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import type { Configuration, JWK } from 'oidc-provider';
import Provider from 'oidc-provider';
import { callbackPath, consolePath } from '#lib/session/paths.ts';
import type { Table } from '#lib/table/table.ts';
import { listenOnLoopback, readBody } from '../http-server.ts';
import { isLoopbackHost } from '../local-pages.ts';
import { messagePage, pageHeaders, signInPage, signOutPage } from './issuer-pages.ts';
import { type LocalPerson, localPeople, subjectOf } from './issuer-people.ts';

/** A name, not an address. Members are bound to it, and the port of the issuer changes with each start. */
const issuerName = 'http://issuer.workspace.example';
const clientId = 'workspace-console';
const bodyBytesMax = 4_096;
const storeOfLibrary: string = 'oidc-provider/lib/adapters/memory_adapter.js';

export interface LocalIssuer {
  /** Environment variables for the functions of the service. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Starts an OpenID Connect issuer on a separate port. On its page a user chooses any member of the stored workspaces.
 * @param table read for each page
 * @param serviceUrl the only allowed address after a login
 */
export async function startIssuer(table: Table, serviceUrl: string): Promise<LocalIssuer> {
  const provider = new Provider(issuerName, await configuration(serviceUrl));
  provider.use(skipSignOutPage(provider));
  const answer = provider.callback();
  const server = createServer((request, response) => {
    if (!isLoopbackHost(request.headers.host)) return send(response, 403, 'This page answers at 127.0.0.1 only.');
    const [, uid, isCancelled] = /^\/sign-in\/([A-Za-z0-9_-]{1,64})(\/cancel)?$/.exec(request.url ?? '') ?? [];
    if (uid === undefined) return void answer(request, response);
    const work = isCancelled ? cancel(provider, request, response) : signIn(provider, table, request, response);
    work.catch(() => send(response, 400, 'This sign-in has expired. Go back to the console and begin again.'));
  });
  const { url, stop } = await listenOnLoopback(server);
  const environment = {
    OIDC_ISSUER: issuerName,
    OIDC_AUTHORIZE_URL: `${url}/auth`,
    OIDC_TOKEN_URL: `${url}/token`,
    OIDC_JWKS_URL: `${url}/jwks`,
    OIDC_LOGOUT_URL: `${url}/session/end`,
    OIDC_CLIENT_ID: clientId,
  };
  return { environment, stop };
}

/** Shows the people who may sign in, and signs in the chosen one. */
async function signIn(provider: Provider, table: Table, request: IncomingMessage, response: ServerResponse) {
  const { uid } = await provider.interactionDetails(request, response);
  const people = await localPeople(table.uncached());
  if (request.method !== 'POST') return void response.writeHead(200, pageHeaders).end(signInPage(uid, people));
  const address = await readAddress(request);
  const person = people.find((candidate) => candidate.address === address);
  if (!person) return send(response, 400, 'No member has this address now. Go back and choose again.');
  remember(person);
  await provider.interactionFinished(request, response, { login: { accountId: subjectOf(person.address) } });
}

async function cancel(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  await provider.interactionDetails(request, response);
  await provider.interactionFinished(request, response, { error: 'access_denied' });
}

const send = (response: ServerResponse, status: number, message: string): void =>
  void response.writeHead(status, pageHeaders).end(messagePage(message));

async function readAddress(request: IncomingMessage): Promise<string | null> {
  const body = await readBody(request, bodyBytesMax);
  if (!body || body.length > bodyBytesMax) throw new Error('The body is incomplete or too long.');
  return new URLSearchParams(body.toString()).get('address');
}

/** The addresses of members who have signed in since the start, by subject. */
const addresses = new Map<string, string>();
const remember = ({ address }: LocalPerson): void => void addresses.set(subjectOf(address), address);

async function configuration(serviceUrl: string): Promise<Configuration> {
  // The library's types leave its store out, and as a default it would print a warning.
  const { createMemoryAdapter } = await import(storeOfLibrary);
  return {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: [`${serviceUrl}${callbackPath}`],
        post_logout_redirect_uris: [`${serviceUrl}${consolePath}`],
      },
    ],
    jwks: { keys: [await signingKey()] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // The ID token holds the address, as with Cognito.
    conformIdTokenClaims: false,
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email: addresses.get(accountId), email_verified: true }),
    }),
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    loadExistingGrant: grantAll,
    clientBasedCORS: () => false,
    ttl: {
      Session: 12 * 3_600,
      Grant: 12 * 3_600,
      Interaction: 3_600,
      AccessToken: 60,
      IdToken: 600,
      AuthorizationCode: 60,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.set(pageHeaders);
          ctx.body = signOutPage(form);
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.set(pageHeaders);
          ctx.body = messagePage('You are signed out.');
        },
      },
    },
    renderError: (ctx, { error }) => {
      ctx.set(pageHeaders);
      ctx.body = messagePage(`This cannot be done (${error}). Go back to the console and begin again.`);
    },
  };
}

/** Redirects a person who is signed out already. The library would answer with a page that needs a script. */
const skipSignOutPage =
  (provider: Provider): Parameters<Provider['use']>[0] =>
  async (ctx, next) => {
    if (ctx.path !== '/session/end' || ctx.method !== 'GET') return next();
    const back = String(ctx.query['post_logout_redirect_uri'] ?? '');
    const [client, session] = await Promise.all([provider.Client.find(clientId), provider.Session.get(ctx)]);
    if (session.accountId || !client?.postLogoutRedirectUriAllowed(back)) return next();
    ctx.redirect(back);
  };

/** Grants without a consent page, because the console is the only client. */
const grantAll: Configuration['loadExistingGrant'] = async (ctx) => {
  const { provider, client, session } = ctx.oidc;
  if (!client || !session?.accountId) return undefined;
  const grantId = session.grantIdFor(client.clientId);
  const storedGrant = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  if (storedGrant) return storedGrant;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email');
  await grant.save();
  return grant;
};

async function signingKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), alg: 'RS256', use: 'sig' };
}
