import type { Construct } from 'constructs';
import { consolePath } from '#lib/session/paths.ts';
import type { Issuer, IssuerAddresses } from './issuer.ts';
import type { Settings } from './settings.ts';
import { UserPool } from './user-pool.ts';

/** The identity provider of members, and the address of the service. */
export interface Identity {
  /** The base URL of the service. */
  readonly publicUrl: string;
  readonly issuer: Issuer;
  /** Undefined if the settings name another issuer. */
  readonly userPool: UserPool | undefined;
}

interface IdentityProps {
  readonly issuer: IssuerAddresses | undefined;
  readonly settings: Settings;
}

/** A user pool of the stack, unless the settings name another issuer. */
export function identityOf(scope: Construct, publicUrl: string, { issuer, settings }: IdentityProps): Identity {
  if (!settings.issuer) {
    const userPool = new UserPool(scope, 'Identity', { publicUrl, settings });
    return { publicUrl, issuer: userPool.issuer, userPool };
  }
  if (!issuer) throw new Error('The addresses of the issuer are not known.');
  const { clientId, secretArn } = settings.issuer;
  // If the issuer has no sign-out, the browser returns to the console directly.
  const { logoutUrl = `${publicUrl}${consolePath}`, ...addresses } = issuer;
  return { publicUrl, issuer: { ...addresses, logoutUrl, clientId, secretArn }, userPool: undefined };
}
