import { generateKeyPair, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import Provider, { type Configuration, type JWK } from 'oidc-provider';
import { callbackPath, consolePath } from '#lib/session/paths.ts';
import type { Table } from '#lib/table/table.ts';
import { messagePage, pageHeaders, signInPage, signOutPage } from './issuer-pages.ts';
import { type LocalPerson, localPeople, subjectOf } from './issuer-people.ts';
import { issuerStore } from './issuer-store.ts';

/** A name, not an address: members stay pinned to it whatever port the issuer gets. */
const issuerName = 'http://issuer.workspace.example';
const clientId = 'workspace-console';
const bodyBytesMax = 4_096;

export interface LocalIssuer {
  /** The variables that lead the functions of a service to it. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Starts an OpenID Connect issuer on this machine, on a port of its own. Its page lets one be any member of the stored
 * workspaces.
 * @param table asked anew for each page
 * @param serviceUrl the one address that it leads back to
 */
export async function startIssuer(table: Table, serviceUrl: string): Promise<LocalIssuer> {
  const provider = new Provider(issuerName, await configuration(serviceUrl));
  provider.use(leadOn(provider));
  const answer = provider.callback();
  const server = createServer((request, response) => {
    if (!isLoopbackName(request.headers.host)) return send(response, 403, 'This page answers at 127.0.0.1 only.');
    const [, uid, isCancelled] = /^\/sign-in\/([A-Za-z0-9_-]{1,64})(\/cancel)?$/.exec(request.url ?? '') ?? [];
    if (uid === undefined) return void answer(request, response);
    const work = isCancelled ? cancel(provider, request, response) : signIn(provider, table, request, response);
    work.catch(() => send(response, 400, 'This sign-in has expired. Go back to the console and begin again.'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = {
    OIDC_ISSUER: issuerName,
    OIDC_AUTHORIZE_URL: `${url}/auth`,
    OIDC_TOKEN_URL: `${url}/token`,
    OIDC_JWKS_URL: `${url}/jwks`,
    OIDC_LOGOUT_URL: `${url}/session/end`,
    OIDC_CLIENT_ID: clientId,
  };
  const stop = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { environment, stop };
}

const isLoopbackName = (host = ''): boolean => /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i.test(host);

/** Shows who may sign in, and lets one of them. */
async function signIn(provider: Provider, table: Table, request: IncomingMessage, response: ServerResponse) {
  const { uid } = await provider.interactionDetails(request, response);
  const people = await localPeople(table.fresh());
  if (request.method !== 'POST') return void response.writeHead(200, pageHeaders).end(signInPage(uid, people));
  const address = new URLSearchParams(await bodyOf(request)).get('address');
  const person = people.find((one) => one.address === address);
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

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) {
    text += part;
    if (text.length > bodyBytesMax) throw new Error('The body is too long.');
  }
  return text;
}

/** The addresses of members who have signed in since the start, by subject: one entry for each member at most. */
const addresses = new Map<string, string>();
const remember = ({ address }: LocalPerson): void => void addresses.set(subjectOf(address), address);

async function configuration(serviceUrl: string): Promise<Configuration> {
  return {
    adapter: issuerStore(),
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

/** Leads a person on who is signed out already. The library would answer with a page that needs a script. */
const leadOn =
  (provider: Provider): Parameters<Provider['use']>[0] =>
  async (ctx, next) => {
    if (ctx.path !== '/session/end' || ctx.method !== 'GET') return next();
    const back = String(ctx.query['post_logout_redirect_uri'] ?? '');
    const [client, session] = await Promise.all([provider.Client.find(clientId), provider.Session.get(ctx)]);
    if (session.accountId || !client?.postLogoutRedirectUriAllowed(back)) return next();
    ctx.redirect(back);
  };

/** Nobody is asked to consent: there is one client, and it is ours. */
const grantAll: Configuration['loadExistingGrant'] = async (ctx) => {
  const { provider, client, session } = ctx.oidc;
  if (!client || !session?.accountId) return undefined;
  const known = session.grantIdFor(client.clientId);
  const found = known === undefined ? undefined : await provider.Grant.find(known);
  if (found) return found;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email');
  await grant.save();
  return grant;
};

async function signingKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), alg: 'RS256', use: 'sig' };
}
