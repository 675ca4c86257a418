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
  const answer = answerIn(query, login);
  try {
    return personOf(await claimsFor(answer, login));
  } catch (error) {
    throw asFailure(error, login);
  }
}

const issuerServer = (): oauth.AuthorizationServer => ({
  issuer: issuerSetting('OIDC_ISSUER'),
  token_endpoint: issuerSetting('OIDC_TOKEN_URL'),
  jwks_uri: issuerSetting('OIDC_JWKS_URL'),
});
const ownClient = (): oauth.Client => ({ client_id: issuerSetting('OIDC_CLIENT_ID') });

/** A code as RFC 6749 has it. Any caller can send another one, and the issuer's answer would look like an outage. */
const codePattern = /^[\x20-\x7e]{1,4096}$/;

/**
 * The parameters of a callback, which any caller can send. So no fault of theirs is an error of the service.
 * @throws SignInFailure
 */
function answerIn(query: URLSearchParams, { state }: LoginState): URLSearchParams {
  const server = issuerServer();
  const client = ownClient();
  try {
    const answer = oauth.validateAuthResponse(server, client, query, state);
    const [code = '', ...others] = answer.getAll('code');
    if (others.length === 0 && codePattern.test(code)) return answer;
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      throw new SignInFailure(error.error === 'access_denied' ? 'cancelled' : 'unavailable');
    }
  }
  throw new SignInFailure('expired');
}

async function claimsFor(answer: URLSearchParams, { nonce, verifier }: LoginState): Promise<oauth.IDToken> {
  const server = issuerServer();
  const client = ownClient();
  const options = {
    signal: AbortSignal.timeout(exchangeMillisecondsMax),
    [oauth.allowInsecureRequests]: server.token_endpoint?.startsWith('http:') ?? false,
  };
  const [value] = (await secret?.values()) ?? [];
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    value === undefined ? oauth.None() : oauth.ClientSecretBasic(value),
    answer,
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

/** @throws SignInFailure for an address that the issuer has not verified */
function personOf({ iss, sub, email, email_verified: verified }: oauth.IDToken): Person {
  const address = typeof email === 'string' ? memberAddress(email) : undefined;
  // Some issuers send `true` as a string.
  if (address === undefined || (verified !== true && verified !== 'true')) throw new SignInFailure('not_a_member');
  return { address, identity: identityOf(iss, sub) };
}

/** The issuer's text is left out, because it may contain the code. */
function asFailure(error: unknown, login: LoginState): unknown {
  if (isOfAnotherLogin(error, login)) return new SignInFailure('expired');
  if (error instanceof oauth.ResponseBodyError) {
    if (error.error === 'invalid_grant') return new SignInFailure('expired');
    return new SignInFailure('unavailable', {
      cause: new Error(`The issuer answered ${error.status} ${error.error}.`),
    });
  }
  return error;
}

/** The ID token has another nonce than the cookie, or none: a person can bring the code of another login. */
function isOfAnotherLogin(error: unknown, { nonce }: LoginState): boolean {
  if (!(error instanceof oauth.OperationProcessingError)) return false;
  const { claims } = (error.cause ?? {}) as { readonly claims?: Partial<oauth.IDToken> };
  return claims !== undefined && claims.nonce !== nonce;
}
