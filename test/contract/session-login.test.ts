import { createHash } from 'node:crypto';
import { afterEach, expect, it } from '@jest/globals';
import { cookieIn } from '#test/support/browser-steps.ts';
import { call } from '#test/support/call.ts';
import { serviceUrl } from '#test/support/sign-in.ts';

const path = '/api/v1/session/login';
const settings = {
  PUBLIC_URL: serviceUrl,
  OIDC_AUTHORIZE_URL: 'https://issuer.example/authorize?tenant=1',
  OIDC_CLIENT_ID: 'client',
};
const use = (values: object): void => void Object.assign(process.env, settings, values);
use({});
afterEach(() => use({}));

it('GET /session/login redirects to the issuer with PKCE, state and nonce, and keeps them in a cookie', async () => {
  const { status, headers, cookies, text } = await call(`GET ${path}`);
  expect([status, text, headers['cache-control']]).toEqual([302, '', 'no-store']);
  const address = new URL(headers['location'] ?? '');
  expect(`${address.origin}${address.pathname}`).toBe('https://issuer.example/authorize');
  expect(cookies).toEqual([
    expect.stringMatching(/^__Host-login=[\w.-]+; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  const [, state, nonce, verifier = '', workspaceId] = cookieIn(cookies[0]).split('.');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    tenant: '1',
    response_type: 'code',
    client_id: 'client',
    redirect_uri: `${serviceUrl}/api/v1/session/callback`,
    scope: 'openid email',
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  expect(verifier).toMatch(/^[0-9A-Za-z]{43}$/);
  expect(workspaceId).toBe('');
});

it('GET /session/login uses new values for each login', async () => {
  const [a, b] = await Promise.all([call(`GET ${path}`), call(`GET ${path}`)]);
  const [first = [], second = []] = [a, b].map(({ cookies }) => cookieIn(cookies[0]).split('.').slice(1, 4));
  expect(new Set([...first, ...second]).size).toBe(6);
});

it('GET /session/login keeps the requested workspace, and ignores a malformed id', async () => {
  const requestedWorkspaceOf = async (query: string) =>
    (await call(`GET ${path}${query}`)).cookies[0]?.split(/[.;]/)[4];
  expect(await requestedWorkspaceOf('?workspaceId=ws_pear')).toBe('ws_pear');
  for (const query of [
    '',
    '?workspaceId=',
    '?workspaceId=a.b',
    `?workspaceId=${'x'.repeat(65)}`,
    '?workspaceId=%0d%0a',
  ])
    expect(await requestedWorkspaceOf(query)).toBe('');
});

it('GET /session/login is 405 for every method but GET, before any work', async () => {
  for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const { status, headers, cookies } = await call(`${method} ${path}`);
    expect([method, status, headers['allow'], cookies]).toEqual([method, 405, 'GET', []]);
    expect(headers['cache-control']).toBe('no-store');
  }
});

it('GET /session/login redirects to the console when no issuer is set', async () => {
  for (const name of ['OIDC_AUTHORIZE_URL', 'OIDC_CLIENT_ID', 'PUBLIC_URL']) {
    use({ [name]: '' });
    const { status, headers } = await call(`GET ${path}`);
    expect([status, headers['location']]).toEqual([302, '/console#/sign-in?error=unavailable']);
    expect(headers['cache-control']).toBe('no-store');
    use({});
  }
});

it('GET /session/login has plain cookies under an http: address, and redirects there from another name of this machine', async () => {
  use({ PUBLIC_URL: 'http://127.0.0.1:3000' });
  const under = (host: string, query = '') => call(`GET ${path}${query}`, { headers: { host } });
  const { headers, cookies } = await under('127.0.0.1:3000');
  expect(headers['location']).toMatch(/^https:\/\/issuer\.example\//);
  expect(cookies[0]).toMatch(/^login=[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  const elsewhere = await under('localhost:3000', '?workspaceId=ws_1&more=1');
  expect([elsewhere.headers['location'], elsewhere.cookies]).toEqual([
    'http://127.0.0.1:3000/api/v1/session/login?workspaceId=ws_1',
    [],
  ]);
});

it('GET /session/login never takes the address from the Host header', async () => {
  const { headers } = await call(`GET ${path}`, {
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  });
  expect(headers['location']).not.toContain('evil');
});
