import { expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { allItems } from '#test/support/own-table.ts';
import { adminKeys, openSignIns, serviceUrl } from '#test/support/sign-in.ts';
import { signIn } from '#test/support/signed-in.ts';

await openSignIns();
process.env['OIDC_LOGOUT_URL'] = 'https://issuer.example/logout?tenant=1';
process.env['OIDC_CLIENT_ID'] = 'client';
const ali = () => signIn({ workspaceId: 'ws_apple', address: 'ali@example.com' });
const request = 'DELETE /api/v1/session';

it("DELETE /session ends the session, clears the cookie, and returns the issuer's sign-out URL", async () => {
  const session = await ali();
  const { status, json, headers } = await session.call(request);
  expect(status).toBe(200);
  expect(headers['set-cookie']).toBe('__Host-session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict');
  expect(Object.keys(json)).toEqual(['logoutUrl']);
  const address = new URL(json.logoutUrl);
  expect(`${address.origin}${address.pathname}`).toBe('https://issuer.example/logout');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    tenant: '1',
    client_id: 'client',
    post_logout_redirect_uri: `${serviceUrl}/console`,
    logout_uri: `${serviceUrl}/console`,
  });
  expect((await session.call('GET /api/v1/profile')).json.code).toBe('invalid_session');
  expect((await session.call(request)).json.code).toBe('invalid_session');
});

it('DELETE /session leaves the other sessions of the member', async () => {
  const session = await ali();
  const other = await ali();
  await session.call(request);
  expect((await other.call('GET /api/v1/profile')).status).toBe(200);
});

it('DELETE /session leaves no stored item of the session', async () => {
  const sessions = async () => (await allItems()).filter(({ pk }) => pk.startsWith('SESSION#')).length;
  const before = await sessions();
  const session = await ali();
  expect(await sessions()).toBe(before + 1);
  await session.call(request);
  expect(await sessions()).toBe(before);
});

it('DELETE /session is 401 without a session and for a key, and 403 for a page of another origin, which ends nothing', async () => {
  const session = await ali();
  expect((await call(request)).json.code).toBe('missing_session');
  expect((await call(request, { key: adminKeys.apple })).json.code).toBe('missing_session');
  expect((await session.call(request, { headers: { 'sec-fetch-site': 'none' } })).json.code).toBe('cross_origin');
  expect((await session.call('GET /api/v1/profile')).status).toBe(200);
});

it('DELETE /session ends nothing if it cannot return the sign-out URL', async () => {
  const session = await ali();
  const address = process.env['OIDC_LOGOUT_URL'];
  process.env['OIDC_LOGOUT_URL'] = '';
  expect((await session.call(request)).status).toBe(503);
  process.env['OIDC_LOGOUT_URL'] = address;
  expect((await session.call('GET /api/v1/profile')).status).toBe(200);
});
