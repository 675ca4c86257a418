import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { cookieIn, loginAs } from '#test/support/browser-steps.ts';
import { call } from '#test/support/call.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { allItems } from '#test/support/own-table.ts';
import { changeMember, openIssuer, openSignIns } from '#test/support/sign-in.ts';
import { type SignedIn, signedInBy, signIn } from '#test/support/signed-in.ts';
import { testTable } from '#test/support/world.ts';

await openSignIns();
await openIssuer();
// The test's own table has no proxy, because it was opened before.
await testTable().get(keys.session('none'));
const proxy = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterEach(() => proxy.heal());
afterAll(() => proxy.stop());

const mona = () => signIn({ workspaceId: 'ws_apple', address: 'mona@example.com' });
const switchTo = (session: SignedIn, workspaceId: string) =>
  session.call('POST /api/v1/session', { body: { workspaceId } });
const end = (session: SignedIn) => session.call('DELETE /api/v1/session');
const sessionOf = ({ headers }: { headers: Readonly<Record<string, string>> }) =>
  signedInBy(cookieIn(headers['set-cookie']).replace('__Host-session=', ''));
const profileOf = async (session: SignedIn) => (await session.call('GET /api/v1/profile')).status;
const sessions = async () =>
  (await allItems()).filter(({ pk, epoch }) => pk.startsWith('SESSION#') && epoch !== undefined).length;
/** Runs something after a request has passed the checks, before its work. */
const afterTheCheck = (meanwhile: () => Promise<unknown>) =>
  proxy.plan('BatchGetItem', { kind: 'late', meanwhile }, 1, 'SESSION#');

describe('a sign-out', () => {
  it('ends the session that a concurrent switch begins', async () => {
    const before = await sessions();
    const session = await mona();
    let switched: SignedIn | undefined;
    afterTheCheck(async () => {
      switched = sessionOf(await switchTo(session, 'ws_pear'));
      expect(await profileOf(switched)).toBe(200);
    });
    expect((await end(session)).status).toBe(200);
    expect(await profileOf(switched as SignedIn)).toBe(401);
    expect(await sessions()).toBe(before);
  });

  it('ends the last session of several concurrent switches', async () => {
    const session = await mona();
    let last = session;
    afterTheCheck(async () => {
      for (const workspaceId of ['ws_pear', 'ws_apple', 'ws_pear']) last = sessionOf(await switchTo(last, workspaceId));
    });
    expect((await end(session)).status).toBe(200);
    expect(await profileOf(last)).toBe(401);
  });

  it('leaves a separately begun session during a concurrent switch', async () => {
    const session = await mona();
    const elsewhere = await mona();
    afterTheCheck(() => switchTo(session, 'ws_pear'));
    await end(session);
    expect(await profileOf(elsewhere)).toBe(200);
  });

  it('a sign-out with the cookie from before a switch is refused and ends nothing', async () => {
    const session = await mona();
    const switched = sessionOf(await switchTo(session, 'ws_pear'));
    expect((await end(session)).json.code).toBe('invalid_session');
    expect(await profileOf(switched)).toBe(200);
  });

  it.each([1, 2, 3])('a sign-out in parallel with a switch leaves no valid session (%d)', async () => {
    const before = await sessions();
    const session = await mona();
    const [ended, switched] = await Promise.all([end(session), switchTo(session, 'ws_pear')]);
    if (ended.status === 200) expect(await sessions()).toBe(before);
    else expect([ended.status, switched.status]).toEqual([401, 200]);
    expect(await profileOf(session)).toBe(401);
  });
});

describe('a switch', () => {
  it('is 401 after a concurrent sign-out, and begins no session', async () => {
    const session = await mona();
    const before = await sessions();
    afterTheCheck(() => end(session));
    const answer = await switchTo(session, 'ws_pear');
    expect([answer.status, answer.json.code, answer.headers['set-cookie']]).toEqual([
      401,
      'invalid_session',
      undefined,
    ]);
    expect(await sessions()).toBe(before - 1);
  });

  it('begins no session for a concurrently deactivated member', async () => {
    const session = await signIn({ workspaceId: 'ws_apple', address: 'ali@example.com' });
    afterTheCheck(() => changeMember('mem_ali', { active: false }));
    const answer = await switchTo(session, 'ws_apple');
    const cookie = answer.status === 200 ? await profileOf(sessionOf(answer)) : answer.status;
    expect([401, 404]).toContain(cookie);
    await changeMember('mem_ali', { active: true });
    expect(await profileOf(session)).toBe(401);
  });
});

describe('a renewal', () => {
  it('does not restore a session that was ended or replaced concurrently', async () => {
    for (const meanwhile of [end, (session: SignedIn) => switchTo(session, 'ws_pear')]) {
      const session = await signIn({ workspaceId: 'ws_apple', address: 'mona@example.com' }, Date.now() - 7_200_000);
      afterTheCheck(() => meanwhile(session));
      await session.call('GET /api/v1/profile');
      expect(await profileOf(session)).toBe(401);
    }
  });
});

describe('a sign-in', () => {
  it('begins no session for a member who is deactivated before it is stored', async () => {
    const { request, cookie } = await loginAs('boss@example.com');
    const before = await sessions();
    const meanwhile = () => changeMember('mem_boss', { active: false });
    proxy.plan('BatchGetItem', { kind: 'late', meanwhile }, 1, 'mem_boss');
    const { headers } = await call(request, { headers: { cookie } });
    expect(headers['location']).toBe('/console#/sign-in?error=not_a_member');
    expect(await sessions()).toBe(before);
  });
});
