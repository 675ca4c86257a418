import { createHash } from 'node:crypto';
import { type Redirect, redirectApi } from '#lib/http/public-api.ts';
import type { ApiEvent } from '#lib/http/request-state.ts';
import { issuerSetting, serviceAddress } from '#lib/session/issuer-settings.ts';
import { loginCookieValue, loginSeconds, newLogin } from '#lib/session/login-state.ts';
import { callbackPath, loginPath } from '#lib/session/paths.ts';
import { loginCookie } from '#lib/session/set-cookies.ts';
import { failing } from '#lib/session/sign-in-failure.ts';
import { endpoint } from './endpoint.ts';

export const handler = redirectApi(endpoint, { handle: beginLogin, ...failing });

/** Redirects to the identity provider (authorization code with PKCE). @throws Unavailable */
async function beginLogin({ headers, state }: Pick<ApiEvent, 'headers' | 'state'>): Promise<Redirect> {
  const login = newLogin(state.queryString.get('workspaceId'));
  if (isOnAnotherHost(headers['host'])) return { location: loginUrl(login.workspaceId), cookies: [] };
  const address = new URL(issuerSetting('OIDC_AUTHORIZE_URL'));
  const parameters = {
    response_type: 'code',
    client_id: issuerSetting('OIDC_CLIENT_ID'),
    redirect_uri: serviceAddress(callbackPath),
    scope: 'openid email',
    state: login.state,
    nonce: login.nonce,
    code_challenge: createHash('sha256').update(login.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return { location: address.href, cookies: [loginCookie(await loginCookieValue(login), loginSeconds)] };
}

/** Cookies belong to one host name: in the local run, `localhost` lacks those of 127.0.0.1, where the callback is. */
function isOnAnotherHost(host: string | undefined): boolean {
  const { protocol, host: serviceHost } = new URL(serviceAddress('/'));
  return protocol === 'http:' && host !== undefined && host !== serviceHost;
}

const loginUrl = (workspaceId: string): string =>
  serviceAddress(workspaceId === '' ? loginPath : `${loginPath}?workspaceId=${workspaceId}`);
