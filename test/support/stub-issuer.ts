import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { cookieIn } from './browser-steps.ts';
import { type Answer, call } from './call.ts';
import { allItems } from './own-table.ts';

type Fault = (response: ServerResponse) => unknown;
type Claims = Readonly<Record<string, unknown>>;

const noLogin = '__Host-login=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax';
const sessions = async () => (await allItems()).filter(({ pk }) => pk.startsWith('SESSION#')).length;
const issuer = 'https://id.example';
const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2_048 });
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An issuer whose answers the test controls, at the two addresses that the service calls. */
export class StubIssuer {
  readonly environment: Readonly<Record<string, string>>;
  /** Overrides claims of the ID token; undefined omits one. */
  claims: Claims = {};
  /** Overrides the header of the ID token. */
  header: Claims = {};
  /** Signs with this key instead of the published one. */
  key = newKeys().privateKey;
  /** If set, these answer in place of the two addresses. */
  faults: { token?: Fault; jwks?: Fault } = {};
  readonly calls: { readonly headers: IncomingMessage['headers']; readonly form: URLSearchParams }[] = [];
  readonly #server: Server;
  readonly #keys = newKeys();
  #nonce = '';

  private constructor(server: Server) {
    this.#server = server;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.environment = {
      OIDC_ISSUER: issuer,
      OIDC_AUTHORIZE_URL: `${url}/authorize`,
      OIDC_TOKEN_URL: `${url}/token`,
      OIDC_JWKS_URL: `${url}/jwks`,
      OIDC_LOGOUT_URL: `${url}/logout`,
      OIDC_CLIENT_ID: 'odd-client',
    };
    this.heal();
  }

  static async start(): Promise<StubIssuer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const odd = new StubIssuer(server);
    server.on('request', (request, response) => void odd.#answer(request, response));
    return odd;
  }

  /** Restores the valid answers. */
  heal(): void {
    this.claims = {};
    this.header = {};
    this.key = this.#keys.privateKey;
    this.faults = {};
  }

  /** Signs in, as far as this issuer permits it. @returns the answer of the callback */
  async signIn(): Promise<Answer> {
    const login = await call('GET /api/v1/session/login');
    const { searchParams } = new URL(login.headers['location'] ?? '');
    this.#nonce = searchParams.get('nonce') ?? '';
    const query = `code=a-code&state=${searchParams.get('state')}`;
    return call(`GET /api/v1/session/callback?${query}`, { headers: { cookie: cookieIn(login.cookies[0]) } });
  }

  /** Expects a sign-in that ends on the error page, stores nothing, and shows no data of the issuer. */
  async expectFailure(code: string): Promise<void> {
    const before = await sessions();
    const { status, headers, cookies, text: body } = await this.signIn();
    expect([status, headers['location'], body]).toEqual([302, `/console#/sign-in?error=${code}`, '']);
    expect([cookies, headers['cache-control']]).toEqual([[noLogin], 'no-store']);
    expect(await sessions()).toBe(before);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const isToken = request.url === '/token';
    if (isToken) this.calls.push({ headers: request.headers, form });
    const fault = isToken ? this.faults.token : this.faults.jwks;
    if (fault) return void fault(response);
    const jwk = { ...this.#keys.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' };
    const body = isToken
      ? { access_token: 'opaque', token_type: 'Bearer', expires_in: 60, id_token: this.#idToken() }
      : { keys: [jwk] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #idToken(): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: issuer,
      aud: 'odd-client',
      sub: 'somebody',
      iat: now,
      exp: now + 60,
      nonce: this.#nonce,
      email: 'ali@example.com',
      email_verified: true,
      ...this.claims,
    };
    const signed = `${encoded({ alg: 'RS256', kid: 'one', ...this.header })}.${encoded(claims)}`;
    return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), this.key).toString('base64url')}`;
  }
}
