/** The issuer that authenticates people, and its addresses (OpenID Connect). */
export interface IssuerAddresses {
  /** As in ID tokens. */
  readonly issuer: string;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly jwksUrl: string;
  /** Undefined if the issuer has no page for signing out. */
  readonly logoutUrl?: string | undefined;
}

export interface Issuer extends IssuerAddresses {
  readonly logoutUrl: string;
  readonly clientId: string;
  /** The ARN of the secret that holds the client's secret. */
  readonly secretArn?: string | undefined;
}

/** The document is small, and the deployment waits for it. */
const timeoutMilliseconds = 10_000;

/**
 * Gets the addresses of an issuer (OpenID Connect Discovery) when the stack is synthesized. So no function waits for
 * it, and a wrong setting fails before the deployment.
 * @throws Error if the answer is not valid
 */
export async function discoverIssuer(issuer: string): Promise<IssuerAddresses> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const failed = (reason: string) => new Error(`The setting issuer.url: ${address} ${reason}.`);
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMilliseconds) }).catch((error: Error) => {
    throw failed(`does not answer (${error.message})`);
  });
  if (!response.ok) throw failed(`answers ${response.status}`);
  const found = (await response.json().catch(() => undefined)) as Readonly<Record<string, unknown>> | null | undefined;
  if (found?.['issuer'] !== issuer) throw failed(`names the issuer ${JSON.stringify(found?.['issuer'])}`);
  const urlOf = (name: string): string => {
    const url = found[name];
    if (typeof url !== 'string' || !URL.canParse(url)) throw failed(`has no ${name}`);
    return url;
  };
  return {
    issuer,
    authorizeUrl: urlOf('authorization_endpoint'),
    tokenUrl: urlOf('token_endpoint'),
    jwksUrl: urlOf('jwks_uri'),
    logoutUrl: found['end_session_endpoint'] === undefined ? undefined : urlOf('end_session_endpoint'),
  };
}
