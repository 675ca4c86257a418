import { issuerSetting, serviceAddress } from './issuer-settings.ts';
import { consolePath } from './paths.ts';

/** The sign-out address of the identity provider, which redirects back to the console. @throws Unavailable */
export function logoutUrl(): string {
  const address = new URL(issuerSetting('OIDC_LOGOUT_URL'));
  const back = serviceAddress(consolePath);
  address.searchParams.set('client_id', issuerSetting('OIDC_CLIENT_ID'));
  // The name of OpenID Connect, and that of Cognito.
  address.searchParams.set('post_logout_redirect_uri', back);
  address.searchParams.set('logout_uri', back);
  return address.href;
}
