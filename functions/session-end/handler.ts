import { api } from '#lib/http/api.ts';
import { issuerSetting, serviceAddress } from '#lib/session/issuer-settings.ts';
import { consolePath } from '#lib/session/paths.ts';
import { personSessionOf } from '#lib/session/profile.ts';
import { noSessionCookie } from '#lib/session/set-cookies.ts';
import { endSession } from '#lib/table/access/sessions.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ table, principal }) => {
    const body = { logoutUrl: logoutUrl() };
    await endSession(table, personSessionOf(principal));
    return { body, headers: { 'set-cookie': noSessionCookie() } };
  },
});

/** The sign-out address of the identity provider, which redirects back to the console. @throws Unavailable */
function logoutUrl(): string {
  const address = new URL(issuerSetting('OIDC_LOGOUT_URL'));
  const back = serviceAddress(consolePath);
  address.searchParams.set('client_id', issuerSetting('OIDC_CLIENT_ID'));
  // The name of OpenID Connect, and that of Cognito.
  address.searchParams.set('post_logout_redirect_uri', back);
  address.searchParams.set('logout_uri', back);
  return address.href;
}
