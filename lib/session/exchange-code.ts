import * as oauth from 'oauth4webapi';
import { memberAddress } from '#lib/domain/access/member.ts';
import type { Person } from '#lib/domain/access/session.ts';
import { Secret } from '#lib/secrets/secret.ts';
import { identityOf } from '#lib/table/access/people.ts';
import { clientSecretArn, issuerSetting, serviceAddress } from './issuer-settings.ts';
import type { LoginState } from './login-state.ts';
import { callbackPath } from './paths.ts';
import { SignInFailure } from './sign-in-failure.ts';

/** For both calls of the issuer together. */
export const exchangeMillisecondsMax = 5_000;
const secretArn = clientSecretArn();
const secret = secretArn === undefined ? undefined : new Secret(secretArn);
/** The keys of the issuer by their address: one entry, because a container has one issuer. A missing key is fetched. */
const keysCaches = new Map<string, oauth.JWKSCacheInput>();

/**
 * Exchanges the code of a callback for the ID token, and checks it: signature, issuer, audience, nonce, times.
 * @returns the person with the verified address
 * @throws SignInFailure, Unavailable
 */
export async function exchangeCode(query: URLSearchParams, login: LoginState): Promise<Person> {
  try {
    return personOf(await claimsFor(query, login));
  } catch (error) {
    throw asFailure(error);
  }
}

async function claimsFor(query: URLSearchParams, { state, nonce, verifier }: LoginState): Promise<oauth.IDToken> {
  const server: oauth.AuthorizationServer = {
    issuer: issuerSetting('OIDC_ISSUER'),
    token_endpoint: issuerSetting('OIDC_TOKEN_URL'),
    jwks_uri: issuerSetting('OIDC_JWKS_URL'),
  };
  const client: oauth.Client = { client_id: issuerSetting('OIDC_CLIENT_ID') };
  const options = {
    signal: AbortSignal.timeout(exchangeMillisecondsMax),
    [oauth.allowInsecureRequests]: server.token_endpoint?.startsWith('http:') ?? false,
  };
  const parameters = oauth.validateAuthResponse(server, client, query, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    await authentication(),
    parameters,
    serviceAddress(callbackPath),
    verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  const keysCache = keysCaches.get(server.jwks_uri ?? '') ?? {};
  keysCaches.set(server.jwks_uri ?? '', keysCache);
  await oauth.validateApplicationLevelSignature(server, response, { ...options, [oauth.jwksCache]: keysCache });
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (!claims) throw new Error('The answer has no ID token.');
  return claims;
}

async function authentication(): Promise<oauth.ClientAuth> {
  const [value] = (await secret?.values()) ?? [];
  return value === undefined ? oauth.None() : oauth.ClientSecretBasic(value);
}

/** @throws SignInFailure for an address that the issuer has not verified */
function personOf({ iss, sub, email, email_verified: verified }: oauth.IDToken): Person {
  const address = typeof email === 'string' ? memberAddress(email) : undefined;
  // Some issuers send `true` as a string.
  if (address === undefined || (verified !== true && verified !== 'true')) throw new SignInFailure('not_a_member');
  return { address, identity: identityOf(iss, sub) };
}

/** The issuer's text is left out, because it may contain the code. */
function asFailure(error: unknown): unknown {
  if (error instanceof oauth.AuthorizationResponseError) {
    return new SignInFailure(error.error === 'access_denied' ? 'cancelled' : 'unavailable');
  }
  if (error instanceof oauth.ResponseBodyError) {
    if (error.error === 'invalid_grant') return new SignInFailure('expired');
    return new SignInFailure('unavailable', {
      cause: new Error(`The issuer answered ${error.status} ${error.error}.`),
    });
  }
  return error;
}
