import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it, jest } from '@jest/globals';
import Provider from 'oidc-provider';
import { cookieIn, IssuerBrowser } from '#test/support/browser-steps.ts';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { SecretsManager, secretArn } from '#test/support/secrets-manager.ts';
import { openSignIns, serviceUrl } from '#test/support/sign-in.ts';

// A secret with characters that the form encoding of HTTP Basic changes (RFC 6749 section 2.3.1).
const secret = 'a secret: 100% of +/= and :';
const clientId = 'console:of the service';

await openSignIns();
const secrets = await SecretsManager.start({ [secretArn('oidc')]: secret });
process.env['OIDC_SECRET_ARN'] = secretArn('oidc');
const server = await startProvider();
afterAll(async () => {
  await secrets.stop();
  server.closeAllConnections();
  server.close();
});

/** An issuer with the console as a confidential client. It accepts any name as an address. */
async function startProvider(): Promise<Server> {
  // The library logs long warnings about its development mode.
  for (const level of ['warn', 'info'] as const) jest.spyOn(console, level).mockImplementation(() => undefined);
  const provider = new Provider('http://issuer.example', {
    clients: [
      {
        client_id: clientId,
        client_secret: secret,
        token_endpoint_auth_method: 'client_secret_basic',
        redirect_uris: [`${serviceUrl}/api/v1/session/callback`],
      },
    ],
    cookies: { keys: ['for tests'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email: accountId, email_verified: true }),
    }),
  });
  const own = provider.callback();
  const listening = createServer((request, response) => void own(request, response));
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  Object.assign(process.env, {
    OIDC_ISSUER: 'http://issuer.example',
    OIDC_AUTHORIZE_URL: `${url}/auth`,
    OIDC_TOKEN_URL: `${url}/token`,
    OIDC_JWKS_URL: `${url}/jwks`,
    OIDC_LOGOUT_URL: `${url}/session/end`,
    OIDC_CLIENT_ID: clientId,
  });
  return listening;
}

/** Goes through the library's pages for development: a name, then consent. */
async function comingBack() {
  const login = await call('GET /api/v1/session/login');
  const browser = new IssuerBrowser();
  const page = await browser.open(login.headers['location'] ?? '');
  const consent = await browser.open(page.url, { prompt: 'login', login: 'ali@example.com', password: 'x' });
  const { url } = await browser.open(consent.url, { prompt: 'consent' });
  return () => call(`GET ${url.slice(serviceUrl.length)}`, { headers: { cookie: cookieIn(login.cookies[0]) } });
}

it('the callback signs in as a confidential client, with the secret of the setting', async () => {
  const { headers, cookies } = await (await comingBack())();
  expect([headers['location'], cookies[0]]).toEqual([
    '/console',
    expect.stringMatching(/^__Host-session=v1\.ws_apple/),
  ]);
  expect(secrets.readings(secretArn('oidc'), 'AWSCURRENT')).toBe(1);
});

it('the callback keeps the secret out of the log, even when the issuer refuses it', async () => {
  const clientName = process.env['OIDC_CLIENT_ID'];
  const finish = await comingBack();
  process.env['OIDC_CLIENT_ID'] = 'nobody';
  const lines = await capturedLines(async () => {
    const { headers } = await finish();
    expect(headers['location']).toBe('/console#/sign-in?error=unavailable');
  });
  process.env['OIDC_CLIENT_ID'] = clientName;
  expect(lines.length).toBeGreaterThan(0);
  for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
    expect(lines.join('\n')).not.toContain(form);
});
