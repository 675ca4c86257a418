import { request as httpRequest } from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startIssuer } from '#lib/local/issuer/issuer.ts';
import { describeSignIn, localPeople } from '#lib/local/issuer/issuer-people.ts';
import { cookieIn, IssuerBrowser, loginAs } from '#test/support/browser-steps.ts';
import { call } from '#test/support/call.ts';
import { changeMember, openIssuer, openSignIns, serviceUrl } from '#test/support/sign-in.ts';
import { testTable } from '#test/support/world.ts';

await openSignIns();
const issuer = await openIssuer();
const started: { stop(): Promise<void> }[] = [];
afterAll(() => Promise.all(started.map((issuer) => issuer.stop())));
const authorize = async () => (await call('GET /api/v1/session/login')).headers['location'] ?? '';

describe('the page of the local issuer', () => {
  it('has a button for each address, with names and workspaces, and no script', async () => {
    const { html } = await new IssuerBrowser().open(await authorize());
    expect([...html.matchAll(/name="address" value="([^"]+)"/g)].map(([, address]) => address)).toEqual([
      'ali@example.com',
      'boss@example.com',
      'dana@example.com',
      'mona@example.com',
      'other@example.com',
    ]);
    expect(html).toMatch(/Mona, Mona M\..*mona@example\.com.*Apple, Pear/);
    expect(html).toContain('Apple (inactive)');
    expect(html).not.toMatch(/<script|https?:\/\/(?!127)/);
  });

  it('is read afresh each time, and shows texts as texts', async () => {
    await changeMember('mem_ali', { name: '<b>"Ali"</b>' });
    const { html } = await new IssuerBrowser().open(await authorize());
    expect(html).toContain('&lt;b&gt;&quot;Ali&quot;&lt;/b&gt;');
    expect(html).not.toContain('<b>');
    await changeMember('mem_ali', { name: 'Ali' });
  });

  it('keeps its policy free of form-action, which Chromium would apply to the way back', async () => {
    const page = await new IssuerBrowser().open(await authorize());
    const { headers } = await fetch(page.url);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('form-action');
  });

  it('takes no address that no member has, and no login that is not under way', async () => {
    const browser = new IssuerBrowser();
    const page = await browser.open(await authorize());
    expect((await browser.open(page.url, { address: 'nobody@example.com' })).html).toContain(
      'No member has this address',
    );
    expect((await fetch(page.url)).status).toBe(400);
  });

  it('refuses a foreign Host', async () => {
    const { port } = new URL(issuer.environment['OIDC_AUTHORIZE_URL'] ?? '');
    const status = await new Promise((resolve) => {
      httpRequest({ host: '127.0.0.1', port, path: '/jwks', headers: { host: 'evil.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).end();
    });
    expect(status).toBe(403);
  });
});

it('the local issuer signs out, redirects to the console, and then shows the list of people again', async () => {
  const browser = new IssuerBrowser();
  await loginAs('ali@example.com', { browser });
  // The person is now signed in, so the issuer shows no page.
  expect((await browser.open(await authorize())).url).toContain(`${serviceUrl}/api/v1/session/callback`);
  const query = new URLSearchParams({
    client_id: issuer.environment['OIDC_CLIENT_ID'] ?? '',
    post_logout_redirect_uri: `${serviceUrl}/console`,
  });
  const logout = `${issuer.environment['OIDC_LOGOUT_URL']}?${query}`;
  const { html } = await browser.open(logout);
  expect(html).not.toMatch(/<script|fonts\./);
  const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(html) ?? [];
  expect((await browser.open(action, { xsrf, logout: 'yes' })).url).toBe(`${serviceUrl}/console`);
  expect((await browser.open(await authorize())).html).toContain('name="address"');
  expect((await browser.open(logout)).url).toBe(`${serviceUrl}/console`);
});

it('the local issuer gives an address the same subject after a restart', async () => {
  const { request, cookie } = await loginAs('boss@example.com');
  expect((await call(request, { headers: { cookie } })).headers['location']).toBe('/console');
  const again = await startIssuer(testTable(), serviceUrl);
  started.push(again);
  Object.assign(process.env, again.environment);
  const second = await loginAs('boss@example.com');
  const { headers, cookies } = await call(second.request, { headers: { cookie: second.cookie } });
  expect([headers['location'], cookieIn(cookies[0]).startsWith('__Host-session=v1.ws_apple.mem_boss.')]).toEqual([
    '/console',
    true,
  ]);
});

it('the local issuer lists the active members at the start, those with all permissions first', async () => {
  expect(describeSignIn(await localPeople(testTable()))).toEqual([
    'Sign in there, without a password, as boss@example.com (may do everything), mona@example.com (may do everything), ali@example.com, other@example.com.',
  ]);
  expect(describeSignIn([])).toEqual(['No member can sign in: no active member has an e-mail address.']);
});
