import { beforeEach, describe, expect, it } from '@jest/globals';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { cookieIn, IssuerBrowser, loginAs, signInAs } from '#test/support/browser-steps.ts';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { allItems } from '#test/support/own-table.ts';
import { adminKeys, changeMember, openIssuer, openSignIns } from '#test/support/sign-in.ts';
import { acceptMembership, signedInBy } from '#test/support/signed-in.ts';
import { load, testTable } from '#test/support/world.ts';

const path = '/api/v1/session/callback';
const failed = (code: string) => `/console#/sign-in?error=${code}`;
const noLogin = '__Host-login=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax';

await openSignIns();
await openIssuer();
const sessionIn = (cookies: readonly string[]) => cookieIn(cookies[0]).replace('__Host-session=', '');
const profileOf = async (cookies: readonly string[]) =>
  (await signedInBy(sessionIn(cookies)).call('GET /api/v1/profile')).json;

describe('a sign-in', () => {
  it('redirects to the console with the cookie of a session, which the profile accepts', async () => {
    const { status, headers, cookies, text } = await signInAs('ali@example.com');
    expect([status, headers['location'], headers['cache-control'], text]).toEqual([302, '/console', 'no-store', '']);
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-session=v1\.ws_apple\.mem_ali\.wss_[0-9A-Za-z]{43}; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Strict$/,
      ),
      noLogin,
    ]);
    expect(await profileOf(cookies)).toMatchObject({ id: 'mem_ali', workspace: { id: 'ws_apple' } });
  });

  it('stores no secret, no token and no code', async () => {
    const { request, cookie } = await loginAs('ali@example.com');
    const { cookies } = await call(request, { headers: { cookie } });
    const stored = JSON.stringify(await allItems());
    expect(stored).toContain('SESSION#');
    const [code = ''] = /(?<=code=)[^&]+/.exec(request) ?? [];
    for (const secret of [sessionIn(cookies), sessionIn(cookies).slice(-43), code, ...cookie.split('.').slice(1, 4)])
      expect(stored).not.toContain(secret);
    expect(stored).not.toContain('eyJ');
  });

  it('finds the member whatever the case of the address', async () => {
    const { cookies } = await signInAs('mona@example.com', { query: '?workspaceId=ws_apple' });
    expect(await profileOf(cookies)).toMatchObject({ id: 'mem_mona', email: 'Mona@example.com' });
  });

  it('finds the member of an international domain', async () => {
    await load({
      version: 1,
      workspace: { id: 'ws_lime', name: 'Lime', languages: ['en'], defaultLanguage: 'en' },
      members: [{ id: 'mem_chef', name: 'Chef', email: 'Chef@CRÈME.example' }],
    });
    const { cookies } = await signInAs('chef@xn--crme-6oa.example');
    expect(await profileOf(cookies)).toMatchObject({ id: 'mem_chef', email: 'Chef@xn--crme-6oa.example' });
  });

  it('records one audit event, without the address of the caller', async () => {
    const events = async (query = '') =>
      (await call(`GET /api/v1/manage/audit-events${query}`, { key: adminKeys.apple })).json.data;
    const before = await events('?limit=100');
    const { headers } = await signInAs('boss@example.com');
    const [event, ...others] = await events('?limit=100');
    expect(others).toEqual(before.slice(0, 99));
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_/),
      at: expect.any(String),
      actor: { type: 'member', id: 'mem_boss', name: 'Boss' },
      action: 'signIn',
      recordKind: 'members',
      recordId: 'mem_boss',
      changed: [],
      requestId: headers['x-request-id'],
    });
    expect(await events('?action=signIn&actorId=mem_boss&limit=1')).toEqual([event]);
    expect(await events('?action=rotate')).toEqual([]);
  });

  it('records no audit event when it fails', async () => {
    const signIns = async () =>
      (await call('GET /api/v1/manage/audit-events?action=signIn&limit=100', { key: adminKeys.apple })).json.data
        .length;
    const before = await signIns();
    await signInAs('dana@example.com');
    const { request, cookie } = await loginAs('ali@example.com');
    await call(request.replace(/state=[^&]*/, 'state=other'), { headers: { cookie } });
    expect(await signIns()).toBe(before);
  });

  it('leaves the record of the member and its ETag unchanged', async () => {
    const read = () => call('GET /api/v1/manage/members/mem_boss', { key: adminKeys.apple });
    const before = await read();
    await signInAs('boss@example.com');
    const after = await read();
    expect([after.json, after.headers['etag']]).toEqual([before.json, before.headers['etag']]);
  });
});

describe('the workspace of a new session', () => {
  const begunIn = async (query = '') => {
    const { cookies } = await signInAs('mona@example.com', { query });
    return (await profileOf(cookies)).workspace.id;
  };

  it('is the last one, or the requested one, and none while there is no last one', async () => {
    await putAll(
      testTable(),
      ['ws_apple', 'ws_pear'].map((id) => ({
        ...keys.membership('mona@example.com', id),
        id: id === 'ws_apple' ? 'mem_mona' : 'mem_mona.2:a',
      })),
    );
    const { cookies } = await signInAs('mona@example.com');
    expect((await signedInBy(sessionIn(cookies)).call('GET /api/v1/profile')).json.code).toBe('workspace_required');
    expect(await begunIn('?workspaceId=ws_pear')).toBe('ws_pear');
    expect(await begunIn()).toBe('ws_pear');
    for (const other of ['ws_plum', 'ws_absent', 'x']) expect(await begunIn(`?workspaceId=${other}`)).toBe('ws_pear');
    expect(await begunIn('?workspaceId=ws_apple')).toBe('ws_apple');
  });

  it('is one in which the person is active', async () => {
    expect((await changeMember('mem_mona.2:a', { active: false }, adminKeys.pear)).status).toBe(200);
    expect(await begunIn('?workspaceId=ws_pear')).toBe('ws_apple');
    await changeMember('mem_mona.2:a', { active: true }, adminKeys.pear);
  });
});

describe('a failed sign-in', () => {
  const refused = async (request: string, cookie?: string) => {
    const { status, headers, cookies, text } = await call(request, cookie === undefined ? {} : { headers: { cookie } });
    expect([status, cookies, headers['cache-control'], text]).toEqual([302, [noLogin], 'no-store', '']);
    return headers['location'];
  };

  it('is `expired` without a login, with another state, and with a repeated state', async () => {
    const { request, cookie } = await loginAs('ali@example.com');
    expect(await refused(request)).toBe(failed('expired'));
    expect(await refused(request, '__Host-login=nonsense')).toBe(failed('expired'));
    expect(await refused(request.replace(/state=[^&]*/, 'state=other'), cookie)).toBe(failed('expired'));
    expect(await refused(`${request}&state=other`, cookie)).toBe(failed('expired'));
    expect(await refused(`GET ${path}`, cookie)).toBe(failed('expired'));
    expect(await refused(request.replace(/code=[^&]*&/, ''), cookie)).toBe(failed('expired'));
    const other = await loginAs('ali@example.com');
    expect(await refused(request, other.cookie)).toBe(failed('expired'));
  });

  it('is `expired` for an answer that no issuer sends, without an error in the log', async () => {
    const { request, cookie } = await loginAs('ali@example.com');
    const [state] = /state=[^&]*/.exec(request) ?? [];
    const lines = await capturedLines(async () => {
      for (const query of ['code=', 'error=', 'code=a&code=b', 'error=a&error=b', 'code=a&iss=a&iss=b']) {
        expect([query, await refused(`GET ${path}?${state}&${query}`, cookie)]).toEqual([query, failed('expired')]);
      }
    });
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(Array(5).fill('info'));
  });

  it('is `expired` for a code that was used before, even with the cookie of its login', async () => {
    const { request, cookie } = await loginAs('ali@example.com');
    expect((await call(request, { headers: { cookie } })).headers['location']).toBe('/console');
    expect(await refused(request, cookie)).toBe(failed('expired'));
  });

  it('is `expired` with the code of another login', async () => {
    const first = await loginAs('ali@example.com');
    const second = await loginAs('boss@example.com');
    const [code] = /code=[^&]*/.exec(first.request) ?? [];
    expect(await refused(second.request.replace(/code=[^&]*/, String(code)), second.cookie)).toBe(failed('expired'));
  });

  it('is `cancelled` when the person goes back', async () => {
    const login = await call('GET /api/v1/session/login');
    const browser = new IssuerBrowser();
    const page = await browser.open(login.headers['location'] ?? '');
    const { url } = await browser.open(`${page.url}/cancel`, {});
    const request = `GET ${path}${new URL(url).search}`;
    expect(await refused(request, cookieIn(login.cookies[0]))).toBe(failed('cancelled'));
  });

  it('is `unavailable` for any other error of the issuer, which stays hidden', async () => {
    const { request, cookie } = await loginAs('ali@example.com');
    const [state] = /state=[^&]*/.exec(request) ?? [];
    const query = `${state}&error=%3Cscript%3E&error_description=boo`;
    expect(await refused(`GET ${path}?${query}`, cookie)).toBe(failed('unavailable'));
  });

  it('is `not_a_member` for an inactive member', async () => {
    const { request, cookie } = await loginAs('dana@example.com');
    expect(await refused(request, cookie)).toBe(failed('not_a_member'));
  });

  it('is `not_a_member` for a member who was deactivated between page and callback', async () => {
    const { request, cookie } = await loginAs('ali@example.com');
    await changeMember('mem_ali', { active: false });
    expect(await refused(request, cookie)).toBe(failed('not_a_member'));
    await changeMember('mem_ali', { active: true });
  });

  it('leaves an existing session unchanged', async () => {
    const { cookies } = await signInAs('ali@example.com');
    const session = signedInBy(sessionIn(cookies));
    await call(`GET ${path}?code=x&state=y`, { headers: session.headers });
    expect((await session.call('GET /api/v1/profile')).status).toBe(200);
  });
});

describe('an e-mail address that changed its owner', () => {
  beforeEach(async () => {
    await changeMember('mem_ali', { email: 'first@example.com' });
    await changeMember('mem_ali', { email: 'ali@example.com' });
    await acceptMembership({ workspaceId: 'ws_apple', address: 'ali@example.com' });
  });
  const pin = (identity: string) =>
    testTable().update(keys.record('ws_apple', 'member', 'mem_ali'), {
      UpdateExpression: 'SET #identity = :identity',
      ExpressionAttributeNames: { '#identity': 'identity' },
      ExpressionAttributeValues: { ':identity': identity },
    });

  it('is `identity_mismatch`, until the member gets a new address', async () => {
    await pin('somebody else');
    expect((await signInAs('ali@example.com')).headers['location']).toBe(failed('identity_mismatch'));
    await changeMember('mem_ali', { email: 'other@example.com' });
    await changeMember('mem_ali', { email: 'ali@example.com' });
    expect((await signInAs('ali@example.com')).headers['location']).toBe('/console');
  });

  it('is bound to an identity at the first sign-in, and later sign-ins require the same subject', async () => {
    for (let time = 0; time < 2; time++)
      expect((await signInAs('ali@example.com')).headers['location']).toBe('/console');
    const item = await testTable().get(keys.record('ws_apple', 'member', 'mem_ali'));
    expect(item?.['identity']).toMatch(/^[0-9a-f]{64}$/);
    const { json } = await call('GET /api/v1/manage/members/mem_ali', { key: adminKeys.apple });
    expect(JSON.stringify(json)).not.toContain('identity');
  });

  it('stays bound when another member or the name is changed', async () => {
    await pin('somebody else');
    await changeMember('mem_ali', { name: 'Ali B.' });
    await changeMember('mem_boss', { name: 'Boss B.' });
    expect((await signInAs('ali@example.com')).headers['location']).toBe(failed('identity_mismatch'));
  });

  it('gives no access to a workspace with another identity, and access to the others', async () => {
    const key = keys.record('ws_apple', 'member', 'mem_mona');
    await testTable().update(key, {
      UpdateExpression: 'SET #identity = :identity',
      ExpressionAttributeNames: { '#identity': 'identity' },
      ExpressionAttributeValues: { ':identity': 'somebody else' },
    });
    const { cookies } = await signInAs('mona@example.com', { query: '?workspaceId=ws_apple' });
    const { workspace, workspaces } = await profileOf(cookies);
    expect([workspace.id, workspaces.length]).toEqual(['ws_pear', 1]);
  });
});

describe('during a sign-in', () => {
  it('every method of a sign-in but GET is 405, before any work', async () => {
    const { request, cookie } = await loginAs('boss@example.com');
    for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await call(request.replace('GET', method), { headers: { cookie } });
      expect([method, status, headers['allow'], headers['cache-control']]).toEqual([method, 405, 'GET', 'no-store']);
    }
    expect((await call(request, { headers: { cookie } })).headers['location']).toBe('/console');
  });

  it('no cookie, code, state or address of a sign-in gets into the log', async () => {
    const { request, cookie } = await loginAs('boss@example.com');
    let cookies: readonly string[] = [];
    const lines = await capturedLines(async () => {
      ({ cookies } = await call(request, { headers: { cookie } }));
      await call(request, { headers: { cookie } });
      await signedInBy(sessionIn(cookies)).call('GET /api/v1/profile');
    });
    expect(lines.length).toBe(3);
    const secrets = [...new URL(request.slice(4), 'http://x').searchParams.values()].filter(
      (value) => value.length > 20,
    );
    for (const secret of [...secrets.slice(0, 2), ...cookie.split('.').slice(1, 4), sessionIn(cookies), 'boss@'])
      expect(lines.join('\n')).not.toContain(secret);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ workspaceId: 'ws_apple', memberId: 'mem_boss', status: 302 });
  });

  it('an unreachable issuer causes a redirect to the console in bounded time', async () => {
    const { request, cookie } = await loginAs('boss@example.com');
    const tokenUrl = process.env['OIDC_TOKEN_URL'];
    process.env['OIDC_TOKEN_URL'] = 'http://127.0.0.1:1/token';
    const { status, headers } = await call(request, { headers: { cookie } });
    process.env['OIDC_TOKEN_URL'] = tokenUrl;
    expect([status, headers['location']]).toEqual([302, failed('unavailable')]);
  });
});
