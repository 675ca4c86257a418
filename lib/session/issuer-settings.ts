import { publicUrl } from '#lib/http/public-url.ts';
import { Unavailable } from '#lib/table/errors.ts';

/**
 * A setting of the identity provider, read per request, because the local service sets it after it listens.
 * @throws Unavailable
 */
export function issuerSetting(
  name:
    | 'OIDC_ISSUER'
    | 'OIDC_AUTHORIZE_URL'
    | 'OIDC_TOKEN_URL'
    | 'OIDC_JWKS_URL'
    | 'OIDC_LOGOUT_URL'
    | 'OIDC_CLIENT_ID',
): string {
  return process.env[name] || missing(name);
}

/** An absolute address of this service for the identity provider. @throws Unavailable */
export const serviceAddress = (path: string): string => `${publicUrl() ?? missing('PUBLIC_URL')}${path}`;

/** The ARN of the client's secret, if the issuer requires one. */
export const clientSecretArn = (): string | undefined => process.env['OIDC_SECRET_ARN'] || undefined;

function missing(name: string): never {
  throw new Unavailable(`The setting ${name} is missing.`);
}
